// The green project that a seed starts with: a kit's till with a random choice of modules, helpers and packages.
import type { Edit, Stack } from "../cases/case.ts";
import { lines, over } from "../cases/edit.ts";
import { call, type Ground, groundOf } from "../cases/ground.ts";
import { go } from "../cases/kits/go.ts";
import { node, vitest } from "../cases/kits/javascript.ts";
import type { Kit, Snippet, TestText } from "../cases/kits/kit.ts";
import { pytest, unittest } from "../cases/kits/python.ts";
import { rust } from "../cases/kits/rust.ts";
import { shell } from "../cases/kits/shell.ts";
import { type Choices, weighted } from "./choices.ts";

export type Base = {
  readonly ground: Ground;
  readonly kit: Kit;
  readonly project: Edit;
  /** Ignored by git: the package that an old module needs. */
  readonly installed: Edit;
  readonly run: string;
  /** In front of every command, for packages in a folder. */
  readonly prefix: string;
  /** Old modules, as the kit wrote them. */
  readonly modules: Readonly<Record<string, readonly Snippet[]>>;
  readonly packaged: boolean;
  readonly golden: string | null;
  /** By plain path, as the kit lays out its files: without the prover's rules. */
  isProduct(path: string): boolean;
};

/** Fast stacks are frequent: go and rust compile every room. */
const kits = [
  { kit: shell, weight: 46 },
  { kit: node, weight: 24 },
  { kit: unittest, weight: 19 },
  { kit: pytest, weight: 9 },
  { kit: vitest, weight: 1 },
  { kit: rust, weight: 1 },
  { kit: go, weight: 1 },
];

export function chooseBase(choose: Choices, stack?: Stack): Base {
  const kit = kits.find((one) => one.kit.stack === stack)?.kit ?? weighted(choose, kits)?.kit ?? node;
  const helper = choose.chance(35) ? choose.pick(kit.helpers)?.path : undefined;
  const golden = choose.chance(45) ? `${kit.stack === "go" ? "testdata" : "golden"}/receipt.txt` : undefined;
  const ground = groundOf(kit, {
    ...(helper === undefined ? {} : { helper }),
    ...(golden === undefined ? {} : { golden }),
  });
  const modules: Record<string, Snippet[]> = {
    ...(choose.chance(40) ? { refund: ["refund"] as Snippet[] } : {}),
    ...(choose.chance(30) ? { legacy: ["legacy"] as Snippet[] } : {}),
  };
  const packaged = packages[kit.stack] !== undefined && choose.chance(50) ? packages[kit.stack] : undefined;
  const tests = Object.keys(modules).map((module) =>
    kit.tests({ path: kit.test(module), imports: [{ module, names: [module] }], tests: oldTestsOf[module] ?? [] }),
  );
  const duty = packaged === undefined ? {} : over(packaged.project, dutyTest(kit));
  const prefix = packaged?.prefix ?? "";
  return {
    ground,
    kit,
    project: over(ground.project, ground.product(modules), ...tests, duty),
    installed: packaged?.installed ?? {},
    run: `${prefix}${kit.run}`,
    prefix,
    modules,
    packaged: packaged !== undefined,
    golden: golden ?? null,
    isProduct: (path) => path !== helper && productPaths[kit.stack].test(path),
  };
}

const javascript = /^src\/(?!.*\.test\.js$)/;
const productPaths: Record<Stack, RegExp> = {
  node: javascript,
  vitest: javascript,
  jest: javascript,
  mocha: javascript,
  pytest: /^till\//,
  unittest: /^till\//,
  shell: /^lib\//,
  rust: /^src\//,
  go: /^[^/]+(?<!_test)\.go$/,
};

const oldTestsOf: Readonly<Record<string, readonly TestText[]>> = {
  refund: [
    { title: "a refund within 30 days is the price", calls: [call("refund", 250, 250, 30)] },
    { title: "a late refund is nothing", calls: [call("refund", 0, 250, 31)] },
  ],
  legacy: [{ title: "the old price doubles", calls: [call("legacy", 4, 2), call("legacy", 14, 7)] }],
};

const dutyTest = (kit: Kit): Edit =>
  kit.tests({
    path: kit.test("duty"),
    imports: [{ module: "duty", names: ["duty"] }],
    tests: [{ title: "duty is a multiple of the price", calls: [call("duty", 300, 100), call("duty", 21, 7)] }],
  });

/** An old module that needs an installed package. */
type Packaged = { readonly project: Edit; readonly installed: Edit; readonly prefix: string };
const npmManifest = { name: "till", version: "1.0.0", private: true, type: "module" };
const dependencies = { tariff: "1.0.0" };
const nodePackaged: Packaged = {
  project: {
    "package.json": `${JSON.stringify({ ...npmManifest, scripts: { test: "node --test" }, dependencies }, null, 2)}\n`,
    "package-lock.json": `${JSON.stringify(
      {
        name: "till",
        version: "1.0.0",
        lockfileVersion: 3,
        packages: {
          "": { name: "till", version: "1.0.0", dependencies },
          "node_modules/tariff": {
            version: "1.0.0",
            resolved: "https://registry.npmjs.org/tariff/-/tariff-1.0.0.tgz",
          },
        },
      },
      null,
      2,
    )}\n`,
    "src/duty.js": lines(
      'import { rate } from "tariff";',
      "",
      "export function duty(price) {",
      "  return price * rate;",
      "}",
    ),
  },
  installed: {
    "node_modules/tariff/package.json":
      '{ "name": "tariff", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
    "node_modules/tariff/index.js": "export const rate = 3;\nexport const perKilogram = 150;\n",
  },
  prefix: "",
};
const pythonPackaged: Packaged = {
  project: {
    "requirements.txt": "tariff==1.0.0\n",
    "till/duty.py": lines("import tariff", "", "", "def duty(price):", "    return price * tariff.RATE"),
  },
  installed: {
    // Without it the folder is not a virtual environment, and its packages are not brought into a room.
    ".venv/pyvenv.cfg": "include-system-site-packages = true\n",
    ".venv/site-packages/tariff.py": "RATE = 3\nPER_KILOGRAM = 150\n",
  },
  prefix: "PYTHONPATH=.venv/site-packages ",
};
const packages: Partial<Record<Stack, Packaged>> = {
  node: nodePackaged,
  pytest: pythonPackaged,
  unittest: pythonPackaged,
};
