// What a manifest of Python names by hand: the functions that its programs start, and the packages that it ships.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { importersOf, pythonPackages } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import type { View } from "../view.ts";
import { moduleProvides } from "./provided.ts";

const manifest = /(?:^|\/)(?:pyproject\.toml|setup\.(?:cfg|py))$/;

export function pythonPackageQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate } = sides;
  const manifests = candidate.paths.filter((path) => manifest.test(path));
  const lost = manifests.flatMap((path) => lostPrograms(path, base, candidate));
  const unlisted = manifests.flatMap((path) => unlistedPackages(path, sides));
  return [
    ...(lost.length === 0
      ? []
      : [
          `Programs of the package start functions that are gone: ${listed(lost)}. Keep the old name as well, or ask for permission to change the manifest.`,
        ]),
    ...(unlisted.length === 0
      ? []
      : [
          `New packages are not among those that the manifest ships: ${listed(unlisted)}. Put that into a package that is listed, or ask for permission to add it.`,
        ]),
  ];
}

/** `ledger.cli:main`, as in [project.scripts] and in the entry points of setuptools. */
const references = /(?<![\w.:/-])([A-Za-z_]\w*(?:\.\w+)*):([A-Za-z_]\w*)(?:\.\w+)*(?![\w:/])/g;

function lostPrograms(path: string, base: View, candidate: View): string[] {
  const text = (candidate.text(path) ?? "").replaceAll(/^\s*#.*$/gm, "");
  const from = posix.join(posix.dirname(path), "setup.py");
  return Array.from(text.matchAll(references)).flatMap(([whole, module = "", name = ""]) => {
    const [was, is] = [base, candidate].map((view) => moduleProvides(from, module, name, view));
    return was === true && is === false ? [`${whole} (${path})`] : [];
  });
}

/** Packages that an explicit list leaves out: below a package of the list, or used by what is shipped. */
function unlistedPackages(path: string, { candidate, changes }: Case["sides"]): string[] {
  const shipped = pythonPackages(path, candidate.text(path) ?? "");
  if (shipped === null) return [];
  const dir = posix.dirname(path);
  const nameOf = (folder: string): string =>
    posix
      .relative(dir, folder)
      .split("/")
      .filter((part, at) => at > 0 || !shipped.folders.includes(part))
      .join(".");
  const isShipped = (file: string): boolean => shipped.packages.includes(nameOf(posix.dirname(file)));
  const added = changes.filter(
    ({ path: file, isNew, side }) =>
      isNew && side === "product" && /\/__init__\.py$/.test(file) && (dir === "." || file.startsWith(`${dir}/`)),
  );
  return added
    .map((change) => change.path)
    .filter((file) => !isShipped(file))
    .filter(
      (file) =>
        shipped.packages.some((name) => nameOf(posix.dirname(file)).startsWith(`${name}.`)) ||
        importersOf(file, candidate.paths.filter(isShipped), candidate).length > 0,
    )
    .map((file) => `${nameOf(posix.dirname(file))} (${path})`);
}
