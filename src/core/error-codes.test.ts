// The page of error codes says what the table says, and every code is used.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type ErrorCode, errorCodes, exitCodes } from "./error-codes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = join(root, "docs", "ERRORS.md");

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

function pageText(): string {
  const [source = ""] = fs.readFileSync(join(root, "src", "core", "error-codes.ts"), "utf8").split("as const");
  const rows = source.split("\n").flatMap((line) => {
    const title = /^ {2}\/\/ (.+)$/.exec(line)?.[1];
    if (title !== undefined) return ["", `## ${title}`, "", "| code | exit code | meaning |", "| --- | --- | --- |"];
    const code = /^ {2}"?([a-z-]+)"?:/.exec(line)?.[1];
    if (code === undefined || !isCode(code)) return [];
    return [`| \`${code}\` | ${exitCodes[code] ?? 1} | ${errorCodes[code]} |`];
  });
  return `# Error codes

A command that fails for a reason that you can change says what failed, why, and what to run. With \`--json\`, and in the library (\`UserError\`), the
error has one of these codes, which do not change. A code has one exit code: 64 is a mistake on the command line.
${rows.join("\n")}
`;
}

test("docs/ERRORS.md is up to date", () => {
  if (process.env["UPDATE_ERRORS"] !== undefined) fs.writeFileSync(page, pageText());
  const how = "run UPDATE_ERRORS=1 npx vitest run src/core/error-codes.test.ts";
  expect(fs.readFileSync(page, "utf8"), how).toBe(pageText());
});

test("every code is thrown somewhere", () => {
  const files = fs.readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const sources = files.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|error-codes\.ts$/.test(path));
  const text = sources.map((path) => fs.readFileSync(join(root, "src", path), "utf8")).join("\n");
  expect(Object.keys(errorCodes).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});
