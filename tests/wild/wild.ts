// What a repository "in the wild" is: its files, how it is installed, what its clean checkout needs, and two changes to it.

export type WildName =
  | "vitest"
  | "jest"
  | "pnpm-workspace"
  | "compiled"
  | "generated"
  | "dotenv"
  | "python-editable"
  | "database"
  | "go"
  | "rust";

export type Files = Readonly<Record<string, string>>;

export type Wild = {
  /** What is committed, besides what `install` writes and .gitignore does not name. */
  readonly files: Files;
  /** Written before the installation, and ignored by git: what a developer has in the folder, and a clone has not. */
  readonly ignored?: Files;
  /** Command lines, run in this order: they install packages and write lockfiles. */
  readonly install: readonly string[];
  /** The same for a clone, which has a lockfile already. */
  readonly reinstall: readonly string[];
  /** Run in the folder only: a build, or generated code, whose results are ignored. */
  readonly prepare?: readonly string[];
  readonly check: WildCheck;
  readonly expect: Expected | (() => Expected);
  /** Adds a feature, with tests. */
  readonly feature: Change;
  /** Adds the same feature, breaks an old behaviour, and adapts the old test that would tell: its own suite is green. */
  readonly broken: Change;
};

export type WildCheck = {
  readonly run: string;
  /** Command lines around every run. */
  readonly before?: string;
  readonly after?: string;
};

/** How many lines of configuration a clean checkout needs before the check is green there, and which. */
export type Expected = { readonly lines: 0 } | { readonly lines: 1; readonly room: string };

/** A change in two halves, so that the old tests can be laid over the new code, and the new tests over the old code. */
export type Change = { readonly product: Edits; readonly tests: Edits };
/** A path's new text, or what is to be replaced in it: each first text stands there exactly once. */
export type Edits = Readonly<Record<string, string | readonly Replacement[]>>;
export type Replacement = readonly [from: string, to: string];

export function applyEdits(files: Files, edits: Edits): Files {
  const changed = Object.entries(edits).map(([path, edit]) => {
    if (typeof edit === "string") return [path, edit];
    return [path, edit.reduce((text, pair) => replaceOnce(path, text, pair), files[path] ?? "")];
  });
  return { ...files, ...Object.fromEntries(changed) };
}

function replaceOnce(path: string, text: string, [from, to]: Replacement): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

/** Source text as it is written here, without the indentation that it has only because it stands inside other code. */
export function code({ raw }: TemplateStringsArray): string {
  const lines = raw.join("").replace(/^\n/, "").trimEnd().split("\n");
  const depths = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...depths);
  return `${lines.map((line) => line.slice(depth)).join("\n")}\n`;
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Some registries do not offer the packages of other platforms. npm then writes a lockfile without them, and refuses it. */
export const npmReinstall = ["npm ci || npm install"];
