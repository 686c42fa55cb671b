import { expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import { commitSubject, withoutPrefix } from "./commit-subject.ts";
import { requestToFeature } from "./request-to-feature.ts";

const long = "Add a Currency class that rounds to the smallest unit of each currency and refuses unknown codes";

test.each([
  ["a short name as it is", "Add a flag", "Add a flag"],
  ["a long sentence whole", `${long}. Keep the old one.`, long],
  ["a heading without its mark", `## ${long}\nMore.`, `${long} More`],
  ["a paragraph cut at a word", "word ".repeat(60), `${"word ".repeat(14).trim()}…`],
])("%s", (_, request, name) => {
  expect(commitSubject(requestToFeature(request))).toBe(`feat(F001): ${name}`);
});

test("a name that a person wrote is never cut", () => {
  const name = "n".repeat(150);
  expect(commitSubject({ id: featureId("B002"), name, description: "" })).toBe(`fix(B002): ${name}`);
});

test.each([
  ["feat(stats): add largest", "add largest"],
  ["feat(F003)!: Add x\n\nfix(y): stays", "Add x\n\nfix(y): stays"],
  ["fix: close the file", "close the file"],
  ["perf(core/io)!: read once", "read once"],
  ["Add f001() that returns: 'F001'", "Add f001() that returns: 'F001'"],
  ["stats: add largest", "stats: add largest"],
  ["feat(stats): ", "feat(stats): "],
])("%j says %j without a conventional prefix", (message, said) => {
  expect(withoutPrefix(message)).toBe(said);
});

test("a feature's own subject says its name without the prefix", () => {
  expect(withoutPrefix(commitSubject({ id: featureId("R002"), name: "Split x", description: "" }))).toBe("Split x");
});
