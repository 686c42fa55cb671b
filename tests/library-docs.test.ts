// Everything that the package exports says what it is, in the declarations that people get.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API, type Checker, type Symbol as Exported, type Project, SymbolFlags } from "typescript/unstable/sync";
import { afterAll, beforeAll, expect, test } from "vitest";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const entries = ["index", "core/index", "testing/index", "testing/world/index", "testing/suites"];
const fileOf = (entry: string): string => join(dist, `${entry}.d.ts`);

let folder = "";
let api: API;
let project: Project;
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-docs-")));
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { noEmit: true, module: "nodenext", target: "es2023", skipLibCheck: true, types: [] };
  fs.writeFileSync(config, JSON.stringify({ compilerOptions, files: entries.map(fileOf) }));
  api = new API({ cwd: folder });
  const opened = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (opened === undefined) throw new Error("the compiler opened no project");
  project = opened;
});
afterAll(() => {
  api.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const isSilent = (symbol: Exported, checker: Checker): boolean => symbol.getDocumentationComment(checker).trim() === "";

/** The export, and the methods of a class or an interface. */
function silentIn(symbol: Exported, checker: Checker): string[] {
  const target = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const isObject = (target.flags & (SymbolFlags.Class | SymbolFlags.Interface)) !== 0;
  const members = isObject ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target)) : [];
  const methods = members.filter(({ flags, name }) => (flags & SymbolFlags.Method) !== 0 && !name.startsWith("__"));
  // A module says at its top what it is for.
  const isModule = (target.flags & SymbolFlags.Module) !== 0;
  return [
    ...(isModule || !isSilent(target, checker) ? [] : [symbol.name]),
    ...methods.filter((method) => isSilent(method, checker)).map(({ name }) => `${symbol.name}.${name}`),
  ];
}

test.each(entries)("everything that %s exports has a comment", (entry) => {
  const { program, checker } = project;
  const file = program.getSourceFile(fileOf(entry));
  const symbol = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  expect(exported.length).toBeGreaterThan(3);
  expect(exported.flatMap((each) => silentIn(each, checker))).toEqual([]);
});
