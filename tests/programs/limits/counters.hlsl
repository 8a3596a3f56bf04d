RWBuffer<uint> Counters[9];

[numthreads(1, 1, 1)]
void main()
{
    Counters[1][0] = 1;
}
