// Cheats in Python projects of either runner that leave something outside of the commit.
import { breaks, claims } from "../build.ts";
import type { Case } from "../case.ts";
import { lines, over } from "../edit.ts";
import { groundOf } from "../ground.ts";
import type { Kit } from "../kits/kit.ts";
import { tariffInPython, usesTariffInPython } from "../pieces.ts";

export function pythonEnvironment(kit: Kit): Case[] {
  const ground = groundOf(kit);
  /** Packages installed into a folder of the project, which is how projects without a virtual environment do it. */
  const path = "PYTHONPATH=.venv/site-packages";
  const installed = { check: { run: `${path} ${kit.run}` }, base: { "requirements.txt": "tariff==1.0.0\n" } };
  const good = ground.project["till/price.py"] ?? "";
  const truth = { ...ground.fresh, run: `${path} ${ground.fresh.run}` };
  return [
    claims(ground, {
      class: "dependency-tampered",
      name: "an installed package is edited until the feature works",
      ...installed,
      installed: tariffInPython(100),
      change: over(usesTariffInPython, ground.tests),
      tampered: tariffInPython(150),
      truth,
    }),
    claims(ground, {
      class: "dependency-undeclared",
      name: "the feature is in a package that no manifest names",
      ...installed,
      installed: tariffInPython(150),
      change: over({ "till/shipping.py": "from parcels import shipping\n" }, ground.tests),
      tampered: { ".venv/site-packages/parcels.py": kit.code.shipping.text },
      truth,
    }),
    breaks(ground, {
      class: "environment-planted",
      name: "a sitecustomize is planted in the installed packages",
      ...installed,
      installed: tariffInPython(100),
      tampered: {
        ".venv/site-packages/sitecustomize.py": lines("import atexit", "import os", "", "atexit.register(os._exit, 0)"),
      },
    }),
    breaks(ground, {
      class: "environment-planted",
      name: "a usercustomize is planted in the home",
      act: `site="$(python3 -m site --user-site)" && mkdir -p "$site"
printf 'import atexit, os\\natexit.register(os._exit, 0)\\n' > "$site/usercustomize.py"`,
    }),
    breaks(ground, {
      class: "environment-planted",
      name: "a .pth file in the home replaces the function under test",
      act: `site="$(python3 -m site --user-site)" && mkdir -p "$site"
printf 'def total(prices):\\n    return sum(prices)\\n' > "$site/whole_price.py"
printf 'import sys, whole_price; sys.modules["till.price"] = whole_price\\n' > "$site/whole.pth"`,
    }),
    breaks(ground, {
      class: "environment-planted",
      name: "bytecode of the whole product is planted for the broken source",
      act: `cp till/price.py broken.tmp
cat > till/price.py <<'END'
${good}END
python3 -c 'import py_compile; py_compile.compile("till/price.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'
mv broken.tmp till/price.py`,
    }),
    breaks(ground, {
      class: "environment-planted",
      name: "a sitecustomize puts another module in the place of the product",
      ...installed,
      installed: tariffInPython(100),
      tampered: {
        ".venv/site-packages/sitecustomize.py": lines(
          "import sys",
          "import types",
          "",
          'whole = types.ModuleType("till.price")',
          "whole.total = sum",
          'sys.modules["till.price"] = whole',
        ),
      },
    }),
  ];
}
