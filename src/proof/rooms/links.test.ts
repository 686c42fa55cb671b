// Links that stay in a folder, and links that leave it.
import { expect, test } from "vitest";
import { leadsOut, moved } from "./links.ts";

test.each([
  { path: "a", target: "b", out: false },
  { path: "a", target: "./b/c", out: false },
  { path: "a", target: "..", out: true },
  { path: "a", target: "../b", out: true },
  { path: "a/b", target: "../c", out: false },
  { path: "a/b", target: "../../c", out: true },
  { path: "node_modules/@s/a", target: "../../packages/a", out: false },
  { path: "x/y/z/t", target: "a/../../w", out: true },
  { path: "x/y", target: "z/..", out: true },
  { path: "a", target: "/etc/passwd", out: true },
  { path: "a", target: "//etc", out: true },
  { path: "a", target: "", out: true },
  { path: "a/b", target: "./.././../c", out: true },
])("$path -> $target leads out: $out", ({ path, target, out }) => {
  expect(leadsOut(path, target)).toBe(out);
});

test.each([
  { target: "/ws/src/a", to: "/room/src/a" },
  { target: "/ws", to: "/room" },
  { target: "/wsx/a", to: null },
  { target: "/ws/../etc", to: null },
  { target: "/usr/bin/python3", to: null },
])("$target in a folder that moved is $to", ({ target, to }) => {
  expect(moved(target, "/ws", "/room")).toBe(to);
});
