// Operations on tests, helpers and golden files: correct ones, worthless ones, and any change to old ones.
import { call, ofPrice, ofShipping, restyled, shippingCalls } from "../../cases/ground.ts";
import type { Call, TestStyle } from "../../cases/kits/kit.ts";
import { alterText } from "../alter.ts";
import type { Choices } from "../choices.ts";
import { type Draft, lay, moveFile, type Operation, testPaths } from "../draft.ts";

/** The feature at these weights, as requested. */
export const shippingAt = (kg: number): Call => call("shipping", kg > 20 ? 0 : 400 + 150 * kg, kg);

/** Some correct calls: usually of both rules, sometimes of one. */
function rightCalls(choose: Choices): readonly Call[] {
  const light = [2, 10, 4, 15].slice(0, 1 + choose.below(3)).map(shippingAt);
  const heavy = [21, 30].slice(0, 1 + choose.below(2)).map(shippingAt);
  return choose.chance(80) ? [...light, ...heavy] : choose.one(light, heavy);
}

/** A test file of the feature, named for the module's current name. */
function writeTests(draft: Draft, style: TestStyle, name: string): string {
  const { base, moves, choose, testFiles } = draft;
  const { kit } = base;
  const shipping = kit.source("shipping");
  const moved = moduleAt(shipping, moves.get(shipping) ?? shipping);
  const path = kit.test(name);
  const tests = rightCalls(choose).map((each, at) => ({ title: `shipping works ${at + 1}`, calls: [each], style }));
  lay(draft, kit.tests({ path, imports: [{ module: moved, names: ["shipping"] }], tests }));
  testFiles.add(path);
  return path;
}

/** The name of a module that is at this path now. */
export function moduleAt(before: string, now: string): string {
  const root = before.slice(0, before.indexOf("shipping"));
  return before === now ? "shipping" : now.slice(root.length).replace(/\.\w+$/, "");
}

export const rightTests: Operation = {
  name: "test the feature",
  weight: 4,
  quiet: true,
  apply: (draft) => writeTests(draft, "plain", draft.choose.one("shipping", "shipping", "parcels")),
};

const worthlessTests: Operation = {
  name: "test nothing",
  weight: 5,
  quiet: false,
  apply(draft) {
    const style = draft.choose.pick(draft.base.kit.styles.filter((each) => each !== "plain" && each !== "only"));
    return style === undefined ? null : `${writeTests(draft, style, "shipping")}: ${style}`;
  },
};

const moreTests: Operation = {
  name: "test old behaviour more",
  weight: 3,
  quiet: true,
  apply(draft) {
    const { kit } = draft.base;
    if (draft.moves.has(kit.source("price"))) return null;
    const path = kit.test("more");
    const tests = [{ title: "a long order adds up", calls: [call("total", 10, [1, 2, 3, 4])] }];
    lay(draft, kit.tests({ path, imports: ofPrice, tests }));
    draft.testFiles.add(path);
    return path;
  },
};

const restyle: Operation = {
  name: "hollow old tests",
  weight: 5,
  quiet: false,
  apply(draft) {
    const { kit, ground } = draft.base;
    const style = draft.choose.pick(kit.styles.filter((each) => each !== "plain"));
    const path = ground.oldTest.path;
    if (style === undefined || !draft.files.has(path) || draft.moves.has(kit.source("price"))) return null;
    const which = draft.choose.one("all", "first");
    lay(draft, restyled(ground, style, which));
    return `${path}: ${which} ${style}`;
  },
};

const extend: Operation = {
  name: "put a new test into the old file",
  weight: 2,
  quiet: true,
  apply(draft) {
    const { kit, ground, project } = draft.base;
    const { path, tests, imports } = ground.oldTest;
    if (draft.files.get(path) !== project[path]) return null;
    const added = { title: "a parcel of 3 kilograms", calls: shippingCalls.slice(1, 2) };
    if (draft.moves.size > 0) return null;
    lay(draft, kit.tests({ ...ground.oldTest, imports: [...imports, ...ofShipping], tests: [...tests, added] }));
    return path;
  },
};

const alterTest: Operation = {
  name: "alter a test",
  weight: 8,
  quiet: false,
  apply(draft) {
    const path = draft.choose.pick(testPaths(draft));
    const altered = path === undefined ? null : alterText(draft.files.get(path) ?? "", draft.choose);
    if (path === undefined || altered === null) return null;
    draft.files.set(path, altered.text);
    return `${path}: ${altered.what}`;
  },
};

const removeTest: Operation = {
  name: "delete a test file",
  weight: 3,
  quiet: false,
  apply(draft) {
    const path = draft.choose.pick(testPaths(draft));
    if (path === undefined) return null;
    draft.files.delete(path);
    return path;
  },
};

const moveTest: Operation = {
  name: "move a test file",
  weight: 3,
  quiet: false,
  apply(draft) {
    const { choose, testFiles, base } = draft;
    const path = choose.pick(testPaths(draft));
    const name = path?.replace(/^.*\//, "") ?? "";
    const source = base.kit.source("x").replace(/x\.\w+$/, "");
    const to = choose.one(
      `old/${name}`,
      `${source}${name}`,
      path?.replace(/(\w+)((?:\.test)?\.\w+)$/, "$1_more$2") ?? "",
    );
    if (path === undefined || to === "" || !moveFile(draft, path, to)) return null;
    testFiles.add(to);
    return `${path} → ${to}`;
  },
};

const commentTest: Operation = {
  name: "comment a test",
  weight: 1,
  quiet: true,
  apply(draft) {
    const path = draft.choose.pick(testPaths(draft).filter((each) => !each.endsWith(".rs")));
    if (path === undefined) return null;
    draft.files.set(path, `${draft.files.get(path)}${draft.base.kit.comment("Prices are in cents.")}`);
    return path;
  },
};

const emptyHelper: Operation = {
  name: "empty the helper",
  weight: 4,
  quiet: false,
  apply(draft) {
    const { helper } = draft.base.ground.oldTest;
    if (helper === undefined || !draft.files.has(helper)) return null;
    draft.files.set(helper, draft.base.kit.helper(helper, "emptied"));
    return helper;
  },
};

const golden: Operation = {
  name: "alter, delete or add a golden file",
  weight: 6,
  quiet: false,
  apply({ base, files, choose }) {
    const path = base.golden ?? "golden/other.txt";
    const how = choose.one("altered", "deleted", "added");
    if (how === "deleted") return files.delete(path) ? `${path} deleted` : null;
    const at = how === "added" ? path.replace(/\w+\.txt$/, `more-${choose.below(50)}.txt`) : path;
    files.set(at, choose.one("", "1: 250\n", "0: 250\n1: 100\n", `${choose.below(1000)}\n`));
    return `${at} ${how}`;
  },
};

export const testOperations: readonly Operation[] = [
  rightTests,
  worthlessTests,
  moreTests,
  restyle,
  extend,
  alterTest,
  removeTest,
  moveTest,
  commentTest,
  emptyHelper,
  golden,
];
