#define SHARED "CBV(b0), "

#define Graphics \
    SHARED \
    "DescriptorTable(SRV(t0, numDescriptors = 4), SRV(t3)), " \
    "RootConstants(num32BitConstants = 64, b1)"

#define Compute SHARED "UAV(u0), SRV(t0)"
