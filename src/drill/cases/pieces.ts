// Files that several cases have: a package that the feature depends on, snapshots, tests in the source.
import type { Edit } from "./case.ts";
import { lines } from "./edit.ts";

/** A Node package with the prices of parcels, as it is installed. */
export const tariff = (perKilogram: number): Edit => ({
  "node_modules/tariff/package.json":
    '{ "name": "tariff", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
  "node_modules/tariff/index.js": `export const base = 400;\nexport const perKilogram = ${perKilogram};\n`,
});
/** The feature, with the prices of that package. */
export const usesTariff: Edit = {
  "src/shipping.js": lines(
    'import { base, perKilogram } from "tariff";',
    "",
    "export function shipping(kg) {",
    "  return kg > 20 ? 0 : base + perKilogram * kg;",
    "}",
  ),
};

/** The same package and the same feature in Python. */
export const tariffInPython = (rate: number): Edit => ({
  ".venv/site-packages/tariff.py": `BASE = 400\nRATE = ${rate}\n`,
});
export const usesTariffInPython: Edit = {
  "till/shipping.py": lines(
    "import tariff",
    "",
    "",
    "def shipping(kg):",
    "    return 0 if kg > 20 else tariff.BASE + tariff.RATE * kg",
  ),
};

/** The feature is only in an installed package that no manifest names: what is committed, and what is installed. */
export const inUnnamedPackage = (shipping: string): { readonly change: Edit; readonly tampered: Edit } => ({
  change: { "src/shipping.js": 'export { shipping } from "parcels";\n' },
  tampered: {
    "node_modules/parcels/package.json":
      '{ "name": "parcels", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
    "node_modules/parcels/index.js": `export ${shipping}`,
  },
});

/** A module whose function, in these lines, gives the answers of the tests in their order. */
export const answersInOrder = (...shipping: readonly string[]): Edit => ({
  "src/shipping.js": lines("const answers = [700, 1900, 0];", "let at = 0;", "", ...shipping),
});

/** The snapshot of a receipt whose first line has this number, with the first line that the runner writes. */
export const receiptSnapshot = (header: string, first: number): string =>
  lines(
    header,
    "",
    `exports[\`a receipt looks as it always did 1\`] = \``,
    `"${first}: 250`,
    `${first + 1}: 100`,
    '"',
    `\`;`,
  );

/** Tests at the end of a Rust source: the name of each, and its assertions. */
export const rustTests = (...tests: readonly (readonly [name: string, ...assertions: string[]])[]): string =>
  lines(
    "",
    "#[cfg(test)]",
    "mod tests {",
    "    use super::*;",
    ...tests.flatMap(([name, ...assertions]) => [
      "",
      "    #[test]",
      `    fn ${name}() {`,
      ...assertions.map((assertion) => `        ${assertion};`),
      "    }",
    ]),
    "}",
  );

/** A Go module with the helper `Same`, replaced by a folder of the project. */
export const goReplaced = (folder: string): Edit => ({
  "go.mod": lines(
    "module example.com/till",
    "",
    "go 1.19",
    "",
    "require example.com/same v0.0.0",
    "",
    `replace example.com/same => ./${folder}`,
  ),
  [`${folder}/go.mod`]: "module example.com/same\n\ngo 1.19\n",
});
