// What a repository "in the wild" is: its files, installation, what its clean checkout needs, and two changes to it.

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
  /** The committed files, besides those that `install` writes and .gitignore does not list. */
  readonly files: Files;
  /** Written before the installation and ignored by git: files that a developer's folder has and a clone does not. */
  readonly ignored?: Files;
  /** Command lines, run in this order: they install packages and write lockfiles. */
  readonly install: readonly string[];
  /** The same for a clone, which already has a lockfile. */
  readonly reinstall: readonly string[];
  /** Run in the folder only: a build, or generated code, whose results are ignored. */
  readonly prepare?: readonly string[];
  readonly check: WildCheck;
  readonly expect: Expected | (() => Expected);
  /** Adds a feature, with tests. */
  readonly feature: Change;
  /** Adds the same feature, breaks an old behaviour, and adapts the old test that would fail: its suite is green. */
  readonly broken: Change;
};

export type WildCheck = {
  readonly run: string;
  /** Command lines around every run. */
  readonly before?: string;
  readonly after?: string;
};

/** Whether a clean checkout needs a line of configuration before the check is green there, and which. */
export type Expected = { readonly lines: 0 } | { readonly lines: 1; readonly room: string };

/** A change in two halves, so that the old tests can run on the new code, and the new tests on the old code. */
export type Change = { readonly product: Edits; readonly tests: Edits };
/** A path's new text, or replacements in it: each `from` occurs exactly once. */
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

/** Source text without the indentation that it has only because it is inside other code. */
export function code({ raw }: TemplateStringsArray): string {
  const lines = raw.join("").replace(/^\n/, "").trimEnd().split("\n");
  const depths = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...depths);
  return `${lines.map((line) => line.slice(depth)).join("\n")}\n`;
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Some registries lack the packages of other platforms. npm then writes a lockfile without them, and rejects it. */
export const npmReinstall = ["npm ci || npm install"];
