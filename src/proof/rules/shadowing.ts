// New files that are loaded instead of old ones, or not everywhere.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";

export function shadowingQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate } = sides;
  const old = new Set(base.paths.filter((path) => candidate.text(path) !== null));
  const added = sides.changes
    .filter(({ kind, side }) => kind === "added" && side === "product")
    .map(({ path }) => path);
  const pairs = added.flatMap((path) =>
    rivalsOf(path)
      .filter((rival) => old.has(rival))
      .map((rival) => `${path} and ${rival}`),
  );
  const partly = added.filter((path) => isForSomeSystems(path, candidate.text(path) ?? ""));
  return [
    ...(pairs.length === 0
      ? []
      : [`Two files answer to one name, and only one of them is loaded: ${listed(pairs)}. Keep one.`]),
    ...(partly.length === 0
      ? []
      : [`These files are built on some systems only: ${listed(partly)}. If that is meant, a person has to look.`]),
  ];
}

/** The other file that the same import could mean: `geo.py` and `geo/__init__.py`, `x.js` and `x/index.js`. */
function rivalsOf(path: string): string[] {
  const [, folder] = /^(.*)\/(?:__init__\.py|index\.[cm]?[jt]sx?)$/.exec(path) ?? [];
  if (folder !== undefined && path.endsWith(".py")) return [`${folder}.py`];
  const scripts = ["js", "mjs", "cjs", "ts"];
  if (folder !== undefined) return scripts.map((end) => `${folder}.${end}`);
  const [, stem, end] = /^(.*)\.(py|[cm]?[jt]s)$/.exec(path) ?? [];
  if (stem === undefined) return [];
  return end === "py" ? [`${stem}/__init__.py`] : scripts.map((each) => `${stem}/index.${each}`);
}

const systems = "aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows";
const machines = "386|amd64|arm|arm64|loong64|mips|mips64|ppc64|ppc64le|riscv64|s390x|wasm";

function isForSomeSystems(path: string, text: string): boolean {
  if (!path.endsWith(".go")) return false;
  return new RegExp(`_(?:${systems}|${machines})\\.go$`).test(path) || /^\/\/(?:go:build| \+build) /m.test(text);
}
