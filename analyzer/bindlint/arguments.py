"""Command lines of dxc and fxc, in every spelling that they accept, to the shader that they compile."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bindlint.errors import did_you_mean
from bindlint.model.shader import Profile, Shader
from bindlint.paths import is_inside, path_fault

DXC_DEFAULT_ENTRY = "main"

# Names and numbers of values, from HLSLOptions.td of DXC 1.8 and `fxc /?`. Most mean nothing here and are passed over.
_FLAGS = """
    ? H O0 O1 O2 O3 O4 Od Odump Qunused-arguments Wall Wdeprecated d fdiagnostics-color fdiagnostics-show-option
    fno-diagnostics-show-option funsafe-math-optimizations fno-unsafe-math-optimizations fassociative-math
    fno-associative-math fno-reciprocal-math ffinite-math-only fno-finite-math-only fsigned-zeros fhonor-nans
    fno-honor-nans fhonor-infinities fno-honor-infinities fdisable-loc-tracking fnew-inlining-behavior ftime-report
    ftime-trace verbose v metal spirv fvk-invert-y fvk-use-dx-position-w fvk-support-nonzero-base-instance
    fvk-support-nonzero-base-vertex fvk-use-gl-layout fvk-use-dx-layout fvk-use-scalar-layout
    fspv-use-legacy-buffer-matrix-order fspv-reflect fspv-flatten-resource-arrays fspv-reduce-load-size
    fspv-fix-func-call-arguments fspv-enable-maximal-reconvergence fspv-use-vulkan-memory-model
    fspv-use-unknown-image-format fvk-auto-shift-bindings fspv-print-all fspv-use-emulated-heap
    fspv-use-descriptor-heap fspv-preserve-bindings fspv-preserve-interface ast-dump ast-dump-implicit M MD fcgl
    preserve-intermediate-values flegacy-macro-expansion flegacy-resource-reservation no-legacy-cbuf-layout
    not_use_legacy_cbuf_load pack-prefix-stable pack_prefix_stable pack-optimized pack_optimized no-warnings
    enable-16bit-types ignore-line-directives export-shaders-only print-before-all print-after-all
    ignore-opt-semdefs force-zero-store-lifetimes enable-lifetime-markers disable-lifetime-markers
    enable-payload-qualifiers disable-payload-qualifiers disable-exception-handling skip-serialization Vi WX Vd Zi Zs
    recompile Zpr Zpc Zss Zsb Gfa Gfp Gpp Gdp Gch Gec Ges Gis Op Cc Ni No Lx P Po dumpbin link Qstrip_reflect
    Qstrip_debug Qembed_debug Qstrip_priv Qsource_in_debug_module Qpdb_in_private Qstrip_rootsignature
    extractrootsignature Qkeep_reflect_in_dxil Qstrip_reflect_from_dxil res-may-alias res_may_alias
    all-resources-bound all_resources_bound enable_unbounded_descriptor_tables compress decompress nologo unchanged
    skip-fn-body skip-static global-extern-by-default keep-user-macro extract-entry-uniforms remove-unused-globals
    remove-unused-functions line-directive decl-global-cb help help-hidden version all-warnings
"""
_SEPARATE = """
    binding-table-define memdep-block-scan-limit opt-disable opt-enable external external-fn HV hlsl-version
    rootsig-define auto-binding-space exports default-linkage precise-output encoding validator-version
    select-validator print-before print-after ignore-semdef override-semdef Fre Frs Fsh fspv-max-id
"""
_JOINED_OR_SEPARATE = """
    D I T E import-binding-table MF denorm Fo Fc Fh Fe Fd Fi Fl Fx Vn setrootsignature verifyrootsignature
    force-rootsig-ver force_rootsig_ver setprivate getprivate shtemplate matchUAVs mergeUAVs
"""
_JOINED = """
    W d fdiagnostics-color= fconstexpr-depth= fconstexpr-steps= fconstexpr-backtrace-limit= fdiagnostics-format=
    fdiagnostics-show-category= ferror-limit= flimited-precision= ftime-trace= ftime-trace-granularity= verify
    fvk-stage-io-order= fspv-debug= fspv-extension= fspv-target-env= fspv-entrypoint-name= Oconfig=
"""
_SEVERAL = {
    2: "opt-select fvk-b-shift fvk-t-shift fvk-s-shift fvk-u-shift fvk-bind-globals fvk-bind-resource-heap "
    "fvk-bind-sampler-heap fvk-bind-counter-heap",
    4: "fvk-bind-register vkbr",
}
_VALUES: dict[str, int] = dict.fromkeys(_FLAGS.split(), 0) | dict.fromkeys((_SEPARATE + _JOINED_OR_SEPARATE).split(), 1)
for _count, _names in _SEVERAL.items():
    _VALUES |= dict.fromkeys(_names.split(), _count)
_DOUBLE_DASH = frozenset(("--help", "--help-hidden", "--version", "--all-warnings"))
_JOINABLE = frozenset((_JOINED_OR_SEPARATE + _JOINED).split())
_JOINABLE_LENGTHS = sorted({len(name) for name in _JOINABLE}, reverse=True)

HLSL_VERSIONS = {"2015": 2015, "2016": 2016, "2017": 2017, "2018": 2018, "2021": 2021, "202x": 2029, "202X": 2029}
"""`-HV` values; 2029 is the number that DXC itself gives to `202x`."""

_MACRO = re.compile(r"\s*[^\W\d]")
_RESPONSE_WORD = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""")
_RESPONSE_DEPTH = 8
_MOST_HINTS = 100
_MOST_RESPONSE_FILES = 1000
_RESPONSE_BYTES = 4 << 20
"""Of all response files of a command line together."""


class ArgumentFault(msgspec.Struct, frozen=True):
    """Something on a command line that no shader can be made of.

    `kind`: "unknown-option", "missing-value", "bad-value", "unknown-profile", "response-file" or "outside". An
    unknown option is the only one that leaves the shader usable.
    """

    kind: str
    message: str


class Arguments(msgspec.Struct, frozen=True):
    """A command line as understood: the shader without its file, the words that are no option, and what is wrong.

    `flags` are the options without a value, as they are named.
    """

    shader: Shader
    inputs: tuple[str, ...] = ()
    faults: tuple[ArgumentFault, ...] = ()
    flags: tuple[str, ...] = ()


def _profiles() -> dict[str, Profile]:
    known: dict[str, Profile] = {}

    def add(stages: str, versions: Sequence[tuple[int, int]]) -> None:
        for profile in (Profile(stage, *version) for stage in stages.split() for version in versions):
            known[str(profile)] = profile

    shader_model_6 = [(6, minor) for minor in range(11)]
    add("ps vs gs cs", [(4, 0), (4, 1), (5, 0), (5, 1), *shader_model_6])
    add("hs ds", [(5, 0), (5, 1), *shader_model_6])
    add("ms as", shader_model_6[5:])
    add("lib", [*shader_model_6[1:], (6, 15)])
    add("rootsig", [(1, 0), (1, 1), (1, 2)])
    return known


PROFILES: dict[str, Profile] = _profiles()
"""Every target profile by name: DXC 1.8 and its preview of 6.10, FXC from shader model 4.0 on."""
_FEATURE_LEVEL_PROFILE = re.compile(r"((?:ps|vs)_4_0)_level_9_[013]")


def read_profile(text: str) -> Profile | None:
    """The target profile of that name; FXC's `ps_4_0_level_9_1` and its like count as shader model 4.0."""
    match = _FEATURE_LEVEL_PROFILE.fullmatch(text)
    return PROFILES.get(match[1] if match else text)


def native_path(path: str) -> str:
    """A path as this system reads it: elsewhere than on Windows a backslash can only be a Windows separator."""
    return path if os.sep == "\\" else path.replace("\\", "/")


def is_compiler_option(name: str) -> bool:
    """Whether dxc or fxc have an option of exactly that name, without its dash."""
    return name in _VALUES


def decode_text(data: bytes) -> str:
    """Text as Windows tools write it: UTF-16 where it has a byte order mark, else UTF-8 with or without one."""
    encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    return data.decode(encoding, "replace")


def parse_arguments(words: Sequence[str], directory: str = "", within: tuple[str, ...] = ()) -> Arguments:
    """Understand a command line without its program name; relative folders in it start at `directory`.

    What it names to be read at once must lie in one of the folders `within`; without any it may lie anywhere.

    Never raises: what is wrong is in `faults`. As in dxc, a profile without an entry point means `main`.
    """
    return _Reader(directory, within).read(words)


class _Reader:
    """The state of reading one command line."""

    def __init__(self, directory: str, within: tuple[str, ...]) -> None:
        self.directory = directory or os.getcwd()
        self.within = within
        self.inputs: list[str] = []
        self.faults: dict[ArgumentFault, None] = {}
        self.responses = 0
        self.response_bytes = 0
        self.flags: list[str] = []
        self.defines: list[tuple[str, str]] = []
        self.include_dirs: list[str] = []
        self.fields: dict[str, object] = {}

    def read(self, words: Sequence[str]) -> Arguments:
        queue = iter(words)
        for word in queue:
            self.word(word, queue, ())
        fields = self.fields
        profile = fields.get("profile")
        if isinstance(profile, Profile):
            if profile.is_library:
                fields["entry"] = ""
            else:
                fields["entry"] = fields.get("entry") or DXC_DEFAULT_ENTRY
            if profile.stage == "rootsig" and profile.minor != 1:
                fields["root_signature_version"] = f"1.{profile.minor}"
            if profile.major < 6 and profile.stage != "rootsig":
                fields["dialect"] = "fxc"
        shader = Shader(
            file="",
            directory=self.directory,
            defines=tuple(self.defines),
            include_dirs=tuple(self.include_dirs),
            **fields,  # type: ignore[arg-type]
        )
        return Arguments(shader, tuple(self.inputs), tuple(self.faults), tuple(self.flags))

    def fault(self, kind: str, message: str) -> None:
        self.faults[ArgumentFault(kind, message)] = None

    def word(self, word: str, queue: Iterator[str], within: tuple[str, ...]) -> None:
        """Read one word; `within` are the response files that it stands in, the outermost first."""
        if word[:1] == "@":
            self.response_file(word[1:], within)
            return
        if word[:1] not in ("-", "/") or word == "-" or (word[0] == "/" and os.path.exists(word)):
            self.inputs.append(word)
            return
        name = word[2:] if word in _DOUBLE_DASH else word[1:]
        count = _VALUES.get(name)
        if count is None:
            for length in _JOINABLE_LENGTHS:
                if name[:length] in _JOINABLE:
                    self.option(name[:length], name[length:])
                    return
            if word[0] == "/":
                self.inputs.append(word)
            else:
                known = ("-" + name for name in (*_VALUES, *_JOINABLE))
                hint = did_you_mean(word, known) if len(self.faults) < _MOST_HINTS else ""
                self.fault("unknown-option", f"unknown option `{word}`{hint}")
            return
        values = [value for _, value in zip(range(count), queue, strict=False)]
        if len(values) < count:
            self.fault("missing-value", f"`{word}` needs {'a value' if count == 1 else f'{count} values'}")
        elif count == 1:
            self.option(name, values[0])
        elif count == 0:
            self.flag(name)

    def flag(self, name: str) -> None:
        self.flags.append(name)
        match name:
            case "enable-16bit-types":
                self.fields["enable_16bit_types"] = True
            case "flegacy-resource-reservation":
                self.fields["legacy_resource_reservation"] = True
            case "flegacy-macro-expansion":
                self.fields["legacy_macro_expansion"] = True
            case "Gis":
                self.fields["strict_ieee"] = True
            case "Vd":
                self.fields["skip_validation"] = True
            case "spirv":
                self.fields["spirv"] = True
            case "Zpr" | "Zpc":
                self.fields["row_major"] = name == "Zpr"

    def option(self, name: str, value: str) -> None:
        match name:
            case "D":
                macro, equals, body = value.partition("=")
                if _MACRO.match(macro):
                    self.defines.append((macro, body if equals else "1"))
                else:
                    self.fault("bad-value", f"`-D` needs the name of a macro, not `{macro}`")
            case "I":
                self.include_dirs += self.path("-I", value)
            case "T":
                self.profile(value)
            case "E":
                self.fields["entry"] = value
            case "HV" | "hlsl-version":
                self.choice("hlsl_version", "-HV", value, HLSL_VERSIONS)
            case "rootsig-define":
                self.fields["root_signature_define"] = value
            case "force-rootsig-ver" | "force_rootsig_ver":
                versions = {f"rootsig_1_{minor}": f"1.{minor}" for minor in range(3)}
                self.choice("root_signature_version", f"-{name}", value, versions)
            case "auto-binding-space":
                if value.isascii() and value.isdecimal() and int(value) <= 0xFFFFFFFF:
                    self.fields["auto_binding_space"] = int(value)
                else:
                    self.fault("bad-value", f"`-auto-binding-space` needs a register space, not `{value}`")
            case "default-linkage":
                self.choice("external_linkage", "-default-linkage", value, {"internal": False, "external": True})
            case "exports":
                earlier = self.fields.get("exports", ())
                assert isinstance(earlier, tuple)
                self.fields["exports"] = (*earlier, *(part for part in value.split(";") if part))
            case "binding-table-define":
                self.fields["binding_table_define"] = value
            case "import-binding-table":
                for path in self.path("-import-binding-table", value):
                    if self.may_read(path, f"binding table `{value}`"):
                        self.fields["binding_table_file"] = path

    def path(self, option: str, value: str) -> tuple[str, ...]:
        """The path that an option names, none where it can be no path."""
        fault = path_fault(value)
        if fault:
            self.fault("bad-value", f"`{option}`: {fault}")
        return () if fault else (os.path.join(self.directory, native_path(value)),)

    def may_read(self, path: str, what: str) -> bool:
        allowed = not self.within or any(is_inside(path, folder) for folder in self.within)
        if not allowed:
            folders = " and ".join(f"`{folder}`" for folder in self.within)
            self.fault("outside", f"{what} lies outside of {folders}, which is all that may be read")
        return allowed

    def choice(self, field: str, option: str, value: str, choices: Mapping[str, object]) -> None:
        if value in choices:
            self.fields[field] = choices[value]
        else:
            hint = did_you_mean(value, choices)
            self.fault("bad-value", f"`{option}` takes {', '.join(choices)}, not `{value}`{hint}")

    def profile(self, value: str) -> None:
        profile = read_profile(value)
        if profile is None:
            hint = did_you_mean(value, PROFILES)
            self.fault("unknown-profile", f"there is no target profile `{value}`{hint}")
        else:
            self.fields["profile"] = profile

    def response_file(self, name: str, within: tuple[str, ...]) -> None:
        path = os.path.join(self.directory, native_path(name))
        fault = ""
        if path in within:
            fault = "stands within itself"
        elif len(within) == _RESPONSE_DEPTH:
            fault = f"is {_RESPONSE_DEPTH} deep within others"
        elif self.responses == _MOST_RESPONSE_FILES:
            fault = f"is one of more than {_MOST_RESPONSE_FILES}"
        if fault:
            self.fault("response-file", f"response file `{name}` {fault}")
        elif self.may_read(path, f"response file `{name}`"):
            self.responses += 1
            words = iter(self.response_words(name, path))
            for word in words:
                self.word(word, words, (*within, path))

    def response_words(self, name: str, path: str) -> list[str]:
        why = ""
        text = ""
        try:
            with open(path, "rb") as file:
                data = file.read(_RESPONSE_BYTES - self.response_bytes + 1)
            self.response_bytes += len(data)
            text = decode_text(data)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
        if self.response_bytes > _RESPONSE_BYTES:
            self.response_bytes = _RESPONSE_BYTES
            why = f"more than {_RESPONSE_BYTES} bytes of response files"
        elif "\0" in text:
            why = "it holds NUL, which no text does"
        if why:
            self.fault("response-file", f"response file `{name}` cannot be read: {why}")
            return []
        return [re.sub("[\"']", "", word) for word in _RESPONSE_WORD.findall(text)]
