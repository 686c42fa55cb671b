// The prose of the project by kind: documents, comments and titles of tests, with their stilted phrases.
import * as fs from "node:fs";
import { join } from "node:path";
import { commentsIn, proseIn, stiltedIn, titlesIn } from "./stilted.mjs";

/** By kind. A packed release has its code in dist, with the same comments. */
export function proseOf(dir) {
  const code = filesBelow(join(dir, fs.existsSync(join(dir, "src")) ? "src" : "dist"), /\.(?:ts|js|mjs)$/).filter(
    (path) => !path.endsWith(".d.ts"),
  );
  const tests = [...code, ...filesBelow(join(dir, "tests"), /\.ts$/)].filter((path) =>
    /\.test\.ts$|-suite\.ts$/.test(path),
  );
  const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => join(dir, name));
  const documents = [...pages, ...filesBelow(join(dir, "docs"), /\.md$/)];
  return {
    documents: stiltedIn(textOf(documents, proseIn)),
    comments: stiltedIn(textOf(code, commentsIn)),
    "test titles": stiltedIn(textOf(tests, titlesIn)),
  };
}

function textOf(paths, part) {
  return paths.map((path) => (fs.existsSync(path) ? part(fs.readFileSync(path, "utf8")) : "")).join("\n");
}

function filesBelow(dir, names) {
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir, { recursive: true })
    .map((name) => join(dir, name))
    .filter((path) => names.test(path) && fs.statSync(path).isFile());
}
