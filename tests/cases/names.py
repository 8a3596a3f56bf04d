"""What names mean, case by case: how they are spelled, where they are looked up, and which function a call means."""

from __future__ import annotations

from cases.usage import Case, in_a_body

SPELLINGS: tuple[Case, ...] = (
    in_a_body("names with letters of other scripts", "float4 é = LOAD(A); float4 e = LOAD(B); sum += é;", "A"),
    in_a_body("names with a dollar", "float4 a$ = LOAD(A); float4 $a = LOAD(B); sum += a$;", "A"),
    in_a_body("letters as universal character names", "float4 x\\u00e9y = LOAD(A); sum += xéy;", "A"),
    in_a_body(
        "a loop over a name with a dollar", "for (int $i = 0; $i < 0; $i++) sum += LOAD(A); sum += LOAD(B);", "B"
    ),
    in_a_body("wide spaces between words", "float4\u00a0x\u2003=\u3000LOAD(A);\u0085sum += x;", "A"),
    Case(
        "wide spaces in directives and registers",
        """
#define\u00a0LOADED LOAD(q)
Texture2D<float4> q :\u00a0register(t9);
float4 main() : SV_Target { return LOADED; }
""",
        "q",
    ),
    Case(
        "resources, structs, fields and functions of other scripts",
        """
static const uint größe = 2;
Texture2D<float4> 変数[größe] : register(t9);
struct Señal { float4 ñ; float4 n; float4 λ() { return ñ; } };
float4 main() : SV_Target { Señal s; s.ñ = LOAD(変数[0]); s.n = LOAD(A); return s.λ(); }
""",
        "変数",
    ),
    Case("an entry point with a dollar", "float4 $main() : SV_Target { return LOAD(A); }", "A", "-T ps_6_6 -E $main"),
)
"""Letters that a name may have, and white space beside that of ASCII."""

NAMES = SPELLINGS
