// Evidence that an evaluator names, looked up in the tree that it judged.
import { expect, test } from "vitest";
import { treeId } from "../../core/ids.ts";
import type { Evidence } from "../../formats/reply/reply.ts";
import { type Lookup, lookUp } from "./found-again.ts";

const [candidate, base] = [treeId("a".repeat(40)), treeId("b".repeat(40))];
const long = "line\n".repeat(200);
const files: Readonly<Record<string, string>> = {
  "index.ts": "one\ntwo\nthree\n",
  "src/deep/index.ts": long,
  "src/empty.ts": "",
  "src/unended.ts": "one\ntwo",
};
const lookup: Lookup = {
  workspace: {
    list: async (tree) => (tree === candidate ? Object.keys(files) : ["src/old.ts"]),
    read: async (_, path) => Buffer.from(files[path] ?? ""),
  },
  candidate,
  base,
  checks: [],
  seen: [],
  folders: ["/rooms/1/app", "/home/me/app"],
};
const at = (file: string, line: number | null = null): Evidence => ({ file, line });

test.each<[string, Evidence, "found" | "unverified" | "false"]>([
  ["a file of the tree", at("src/deep/index.ts"), "found"],
  ["a file with ./ before it", at("./src/deep/index.ts", 120), "found"],
  ["a path in the checkout, with a name that the root has as well", at("/rooms/1/app/src/deep/index.ts:120"), "found"],
  ["a path in the person's folder", at("/home/me/app/src/deep/index.ts:120:4"), "found"],
  ["a line after the last, in the checkout", at("/rooms/1/app/index.ts", 4), "false"],
  ["a file that the checkout does not have", at("/rooms/1/app/src/none.ts"), "false"],
  ["a path in a checkout that is gone", at("/rooms/0/app/src/deep/index.ts:120"), "found"],
  ["a line after the last, in a folder that is not known", at("/elsewhere/index.ts:120"), "unverified"],
  ["a file that is nowhere, in a folder that is not known", at("/elsewhere/other.ts:1"), "unverified"],
  ["what a build makes", at("dist/index.js"), "unverified"],
  ["a file that the change deleted", at("src/old.ts:9"), "found"],
  ["a file that there never was", at("src/none.ts"), "false"],
  ["the last line of a file that ends with a newline", at("index.ts", 3), "found"],
  ["the line after a file's last newline", at("index.ts", 4), "false"],
  ["the last line of a file without one", at("src/unended.ts", 2), "found"],
  ["the first line of an empty file", at("src/empty.ts", 1), "found"],
])("%s is looked up: %j is %s", async (_, evidence, is) => {
  expect((await lookUp(evidence, lookup)).is).toBe(is);
});
