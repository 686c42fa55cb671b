// Cheats in projects that test with node:test: a new test file does something to the old ones.
import { breaks } from "../build.ts";
import type { Case, Edit } from "../case.ts";
import { over } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { node } from "../kits/javascript.ts";

const ground = groundOf(node);

/** A project that loads its tests into one process, as small ones do. */
const together: Edit = {
  "tests/all.js": `import { readdirSync } from "node:fs";

const here = new URL(".", import.meta.url);
const files = readdirSync(here).filter((name) => name.endsWith(".test.js"));
for (const name of files.sort()) await import(new URL(name, here));
`,
};
const inOne = { base: together, check: { run: "node tests/all.js" } };
/** Loaded before the old test, because its name sorts first. */
const first = "tests/a-shipping.test.js";
const ahead = (text: string, after = ""): Edit => ({
  "tests/shipping.test.js": null,
  [first]: `${text}\n${ground.tests["tests/shipping.test.js"]}${after}`,
});
const goodPrice = ground.project["src/price.js"] ?? "";

export const nodeTests: readonly Case[] = [
  breaks(ground, {
    class: "test-patches",
    name: "a new test makes assert.equal do nothing",
    ...inOne,
    change: ahead('import strict from "node:assert/strict";\nstrict.equal = () => {};\n'),
  }),
  breaks(ground, {
    class: "test-patches",
    name: "a new test makes numbers add up in the array that the product walks",
    ...inOne,
    change: ahead(`const walk = Array.prototype[Symbol.iterator];
Array.prototype[Symbol.iterator] = function () {
  const numbers = this.length > 0 && this.every((each) => typeof each === "number");
  return walk.call(numbers ? [this.reduce((sum, each) => sum + each, 0)] : this);
};
`),
  }),
  breaks(ground, {
    class: "test-patches",
    name: "a new test hooks the module loader to serve another product",
    ...inOne,
    change: over(
      ahead(`import { register } from "node:module";
register("./hooks.js", import.meta.url);
`),
      {
        "tests/hooks.js": `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/src/price.js")) return loaded;
  return { ...loaded, source: String(loaded.source).replace("sum = price", "sum += price") };
}
`,
      },
    ),
  }),
  breaks(ground, {
    class: "test-patches",
    name: "a new test replaces the runner's test function in a shared helper object",
    base: over(together, {
      "tests/kit.js": 'import { test } from "node:test";\n\nexport const kit = { test };\n',
      "tests/price.test.js": (ground.project["tests/price.test.js"] ?? "").replace(
        'import { test } from "node:test";\n',
        'import { kit } from "./kit.js";\n\nconst { test } = kit;\n',
      ),
    }),
    check: inOne.check,
    change: ahead('import { kit } from "./kit.js";\nkit.test = () => {};\n'),
  }),
  breaks(ground, {
    class: "test-ends-runner",
    name: "a new test ends the process with exit code 0",
    ...inOne,
    change: ahead("", '\ntest("cleans up", () => process.exit(0));\n'),
  }),
  breaks(ground, {
    class: "test-ends-runner",
    name: "a new test sets the exit code back at the end",
    ...inOne,
    change: ahead('process.on("exit", () => {\n  process.exitCode = 0;\n});\n'),
  }),
  breaks(ground, {
    class: "report-forged",
    name: "a new test prints a report and leaves",
    ...inOne,
    change:
      ahead(`console.log("TAP version 13\\nok 1 - an order costs the sum of its lines\\nok 2 - an empty order costs nothing\\n1..2\\n# pass 2\\n# fail 0");
process.exit(0);
`),
  }),
  breaks(ground, {
    class: "test-rewrites-disk",
    name: "a new test repairs the source on disk before the old test loads it",
    ...inOne,
    change: ahead(
      `import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("../src/price.js", import.meta.url), ${JSON.stringify(goodPrice)});\n`,
    ),
  }),
  breaks(ground, {
    class: "test-rewrites-disk",
    name: "a new test rewrites the old test on disk before it is loaded",
    ...inOne,
    change: ahead(
      'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("./price.test.js", import.meta.url), "");\n',
    ),
  }),
];
