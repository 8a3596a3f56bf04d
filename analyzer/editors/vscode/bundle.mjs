// Makes `dist/`: the extension in one file, and the licenses of what went into it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  metafile: true,
  platform: "node",
  target: "node20",
  external: ["vscode"],
});

/** The folder of the package that a file belongs to; of our own file nothing. */
function packageOf(file) {
  const folder = dirname(file);
  if (folder === ".") return undefined;
  return existsSync(join(folder, "package.json")) && JSON.parse(readFileSync(join(folder, "package.json"))).version
    ? folder
    : packageOf(folder);
}

const packages = new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean));
const notices = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json")));
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined) throw new Error(`${name} has no license that could be shipped`);
  return `${name} ${version}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
});
writeFileSync("dist/licenses.txt", notices.join(`\n${"-".repeat(79)}\n\n`));
