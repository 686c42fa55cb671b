// New files that nobody asked for and that a person's tools may obey or start by themselves. No list of such names is complete, so
// the question is the other way round: a new file that is neither product, nor a test, nor a document is asked about unless
// the feature names it, or it lies where nothing looks for it.
import type { Case } from "../case.ts";
import { isDocumentName, isLockfile, isManifest, isShowFolder, isToolFolder } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { matcher } from "../globs.ts";
import { isNamedAsData, type SidedChange } from "../sides.ts";
import { allowed } from "./scope.ts";
import { steeringAmong } from "./steering-files.ts";

/** They say what is left out or how lines are written, or are examples: nothing is started because of them. */
const inert = matcher([
  "**/.{git,npm,docker,prettier,eslint,helm}ignore",
  "**/.{git,}keep",
  "**/.env.{example,sample,template,dist}",
  "**/.editorconfig",
]);
const hasDot = (path: string): boolean => /(?:^|\/)\.[^/]/.test(path);
const forPrograms = matcher(["{**/,}{bin,script,scripts,tools}/**"]);

export function unaskedFileQuestions({ order, feature, sides, release }: Subject): string[] {
  const { names } = allowed(order.contract, feature);
  const text = [feature.name, feature.description, ...feature.criteria].join("\n");
  const steers = steeringAmong(sides.candidate.paths);
  const open = sides.changes.filter(
    ({ path, kind, side }) =>
      kind !== "deleted" && side !== "ours" && side !== "cache" && !names(path) && !release(path),
  );
  const unasked = open.filter((change) => !isNamed(change, text));
  const obeyed = unasked.filter(
    (change) => change.isNew && mayBeObeyed(change, sides) && !inert(change.path) && !steers(change.path),
  );
  const known = new Set(obeyed);
  const ours = productFolders(sides);
  const started = unasked.filter(
    (change) => !known.has(change) && isProgram(change) && !ours.has(folderOf(change.path)),
  );
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

function mayBeObeyed({ path, side, unplaced, isDocument }: SidedChange, sides: Case["sides"]): boolean {
  if (hasDot(path)) return true;
  // Instructions to an agent are a document at the top too.
  if (isDocument) return folderOf(path) === "" && /^[A-Z][A-Z0-9_-]*\.\w+$/.test(path) && !isDocumentName(path);
  // A second lockfile decides instead of the first.
  if (isLockfile(path)) return filesIn(folderOf(path), sides).some(isLockfile);
  return side === "other" && !(unplaced === true && isOutOfTheWay(path, sides));
}

/** Tools look at the top and in packages. Elsewhere only those of its own kind of file, or a test, make something of it. */
function isOutOfTheWay(path: string, sides: Case["sides"]): boolean {
  const folder = folderOf(path);
  if (folder.split("/").some((part) => isToolFolder(part) || isShowFolder(part))) return true;
  const around = filesIn(folder, sides);
  const isOneMore = endingOf(path) !== "" && around.some((other) => endingOf(other) === endingOf(path));
  if (isOneMore && !around.some(isManifest)) return true;
  if (folder === "") return false;
  const tests = sides.changes.filter(({ isTest, kind }) => isTest && kind !== "deleted");
  return tests.some((test) => isNamedAsData(path, sides.candidate.text(test.path) ?? ""));
}

/** Those of the base, directly in a folder. */
const filesIn = (folder: string, { base }: Case["sides"]): readonly string[] =>
  base.paths.filter((path) => folderOf(path) === folder);

const endingOf = (path: string): string => /\.[^./]+$/.exec(path)?.[0] ?? "";

/**
 * By its name; a file that a rule knows, or with a dot, without what follows the first dot as well; by a folder with a
 * dot, or that of a new package; or as what it is. A name without a dot may be any word: its case has to be right.
 */
function isNamed({ path, unplaced }: SidedChange, words: string): boolean {
  const text = words.toLowerCase();
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  const isBare = !name.includes(".") && !name.endsWith("file");
  const isInDots = parts.slice(0, -1).some((part) => part.startsWith("."));
  const stem = name.replace(/^\./, "").split(".")[0] ?? "";
  const hasStem = stem.length > 2 && (name.startsWith(".") || !(isBare || isInDots || unplaced === true));
  const folders = parts.slice(0, -1).filter((part, at, { length }) => {
    return part.startsWith(".") || (at === length - 1 && isManifest(path));
  });
  const isWorkflow = /^\.(?:github\/workflows|circleci|gitlab)\//.test(path) || /^\.gitlab-ci\.yml$/.test(name);
  return (
    (isBare ? isWordIn(path.slice(path.lastIndexOf("/") + 1), words) : isWordIn(name, text)) ||
    [...(hasStem ? [stem] : []), ...folders].some((each) => isWordIn(each, text)) ||
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
