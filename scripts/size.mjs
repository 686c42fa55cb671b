// node scripts/size.mjs [--old <folder or .tgz>]: lines that are not blank, by folder, of the code in the package; with --old, in that
// build too. docs/ARCHITECTURE.md has the figures.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildFromOptions } from "./compare/old-build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const old = buildFromOptions();
const columns = [...(old === null ? [] : [["before", sizesOf(old.dir)]]), ["now", sizesOf(root)]];
old?.remove();
const folders = [...new Set(columns.flatMap(([, sizes]) => Object.keys(sizes)))].sort();
const rows = [...folders.map((name) => [name, (sizes) => sizes[name] ?? 0]), ["all", total]];
console.log(`| folder | ${columns.map(([title]) => title).join(" | ")} |\n| --- |${" ---: |".repeat(columns.length)}`);
for (const [name, of] of rows)
  console.log(`| ${name} | ${columns.map(([, sizes]) => of(sizes).toLocaleString("en")).join(" | ")} |`);

function sizesOf(build) {
  const sizes = {};
  for (const path of fs.readdirSync(join(build, "dist"), { recursive: true })) {
    // As package.json leaves out of the package.
    if (!/\.m?js$/.test(path) || path.includes(".test.") || /^drill\/(?:cases|matrix|random)\//.test(path)) continue;
    const folder = path.includes("/") ? `${path.split("/", 1)[0]}/` : "(top)";
    const lines = fs.readFileSync(join(build, "dist", path), "utf8").split("\n");
    sizes[folder] = (sizes[folder] ?? 0) + lines.filter((line) => line.trim() !== "").length;
  }
  return sizes;
}

function total(sizes) {
  return Object.values(sizes).reduce((sum, lines) => sum + lines, 0);
}
