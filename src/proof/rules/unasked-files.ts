// New files that a person's tools obey or start by themselves: dotfiles, files in folders with a dot, a few names without
// one, and programs. No list of names is complete, so each such file is asked about unless the feature names it.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { matcher } from "../globs.ts";
import type { SidedChange } from "../sides.ts";
import { allowed } from "./scope.ts";
import { steeringAmong } from "./steering-files.ts";

/** They say what is left out or how lines are indented, or are examples: nothing is started because of them. */
const inert = matcher([
  "**/.editorconfig",
  "**/.{git,npm,docker,prettier,eslint,helm}ignore",
  "**/.{git,}keep",
  "**/.env.{example,sample,template,dist}",
]);
const withoutDot = matcher([
  "**/{flake,shell,default}.nix",
  "**/devbox.json",
  "**/*.sublime-{project,workspace}",
  "**/{launch,tasks}.vs.json",
  "**/{sitecustomize,usercustomize}.py",
]);
const hasDot = (path: string): boolean => /(?:^|\/)\.[^/]/.test(path);
const forPrograms = matcher(["{**/,}{bin,script,scripts,tools}/**"]);

export function unaskedFileQuestions({ order, feature, sides, release }: Subject): string[] {
  const { names } = allowed(order.contract, feature);
  const text = [feature.name, feature.description, ...feature.criteria].join("\n").toLowerCase();
  const steers = steeringAmong(sides.candidate.paths);
  const open = sides.changes.filter(
    ({ path, kind, side }) =>
      kind !== "deleted" && side !== "ours" && side !== "cache" && !names(path) && !release(path),
  );
  const unasked = open.filter(({ path }) => !isNamed(path, text));
  const obeyed = unasked.filter(
    ({ path, isNew }) => isNew && (hasDot(path) || withoutDot(path)) && !inert(path) && !steers(path),
  );
  const ours = productFolders(sides);
  const started = unasked.filter((change) => isProgram(change) && !ours.has(folderOf(change.path)));
  return [
    ...asked(obeyed, "Tools may obey these new files by themselves, and the feature does not name them"),
    ...asked(started, "These files can be executed now, and the feature does not name them"),
  ];
}

type Subject = Pick<Case, "feature" | "sides" | "release"> & {
  readonly order: Pick<Case["order"], "contract">;
};

const asked = (files: readonly SidedChange[], what: string): string[] =>
  files.length === 0
    ? []
    : [`${what}: ${listed(files.map(({ path }) => path))}. Leave them out, or a person has to look.`];

/** By its name, with or without the dot and what follows; by its folder; or as what it is. */
function isNamed(path: string, text: string): boolean {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  const stem = name.startsWith(".") ? (name.slice(1).split(".")[0] ?? "") : name;
  const folders = parts.slice(0, -1).filter((part) => part.startsWith("."));
  const isWorkflow = /^\.(?:github\/workflows|circleci|gitlab)\//.test(path) || /^\.gitlab-ci\.yml$/.test(name);
  return (
    [name, ...(stem.length > 2 ? [stem] : []), ...folders].some((each) => isWordIn(each, text)) ||
    (isWorkflow && /\b(?:workflows?|github actions?|ci|pipelines?)\b/.test(text))
  );
}

const isWordIn = (word: string, text: string): boolean =>
  new RegExp(`(?<![\\w.-])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(text);

const isProgram = ({ path, executable, isTest }: SidedChange): boolean =>
  executable === true && !isTest && !hasDot(path) && !forPrograms(path);

/** Where the product already is, apart from the top. */
function productFolders({ base, classes }: Case["sides"]): ReadonlySet<string> {
  const product = base.paths.filter((path) => classes.of(path).kind === "product");
  return new Set(product.map(folderOf).filter((folder) => folder !== ""));
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
