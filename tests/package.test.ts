// What npm would publish: every link in a document leads to a file that is published, too.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
type Packed = readonly { readonly files: readonly { readonly path: string }[] }[];
const packed = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 << 20,
  }),
) as Packed;
const files = new Set((packed[0]?.files ?? []).map(({ path }) => path));
const documents = [...files].filter((path) => path.endsWith(".md"));

/** Relative targets of links and pictures, without the place in the page. */
function linksIn(path: string): string[] {
  const text = fs.readFileSync(join(root, path), "utf8").replace(/```[\s\S]*?```/g, "");
  const found = text.matchAll(/\]\(([^()\s]+)\)|(?:href|src)="([^"]+)"/g);
  return Array.from(found, ([, link, attribute]) => link ?? attribute ?? "")
    .filter((link) => !/^(?:[a-z]+:|#|\/\/)/i.test(link))
    .map((link) => posix.join(posix.dirname(path), link.split("#")[0] ?? ""));
}

test("documents are in the package, and one that has links", () => {
  expect(documents).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/ARCHITECTURE.md"]));
  expect(linksIn("README.md").length).toBeGreaterThan(5);
});

test("the actions that docs/CI.md tells people to use are in the package, with the scripts that they run", () => {
  const uses = [...fs.readFileSync(join(root, "docs/CI.md"), "utf8").matchAll(/uses: OWNER\/loopwright(\/[^@\s]+)?@/g)];
  const actions = uses.map(([, folder = ""]) => `${folder.slice(1)}/action.yml`.replace(/^\//, ""));
  expect(actions).toEqual(["action.yml", ".github/actions/prove/action.yml"]);
  const scripts = actions.flatMap((path) =>
    Array.from(fs.readFileSync(join(root, path), "utf8").matchAll(/\.github\/actions\/[\w.-]+/g), ([name]) => name),
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect([...actions, ...scripts].filter((path) => !files.has(path))).toEqual([]);
});

test.each(documents)("every link of %s is in the package", (path) => {
  const isPacked = (to: string): boolean => {
    const folder = to.endsWith("/") ? to : `${to}/`;
    return files.has(to) || [...files].some((file) => file.startsWith(folder));
  };
  expect(linksIn(path).filter((to) => !isPacked(to))).toEqual([]);
});
