// Moves: which files moved, and how judge files follow them.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moves } from "./moves.ts";
import { repointed } from "./repointed.ts";

const file = (path: string, text: string): { path: string; text: string } => ({ path, text });
const body =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n}\n";

describe("a moved file is recognised", () => {
  test.each([
    ["renamed", [file("src/a.js", body)], [file("src/b.js", body)], [{ from: "src/a.js", to: "src/b.js" }]],
    [
      "with another import",
      [file("src/a.js", `import x from "./x.js";\n${body}`)],
      [file("src/b/a.js", `import x from "../x.js";\n${body}`)],
      [{ from: "src/a.js", to: "src/b/a.js" }],
    ],
    [
      "from JavaScript to TypeScript",
      [file("src/a.js", body)],
      [file("src/a.ts", body)],
      [{ from: "src/a.js", to: "src/a.ts" }],
    ],
    [
      "but not when it is another one",
      [file("src/a.js", body)],
      [file("src/b.js", "export const other = 1;\nexport const more = 2;\n")],
      [],
    ],
    ["but not in another language", [file("src/a.js", body)], [file("src/a.txt", body)], []],
    [
      "by its name among equal ones",
      [file("a/x.js", body), file("a/y.js", body)],
      [file("b/y.js", body), file("b/x.js", body)],
      [
        { from: "a/x.js", to: "b/x.js" },
        { from: "a/y.js", to: "b/y.js" },
      ],
    ],
    [
      "when empty, only by its name",
      [file("a/__init__.py", ""), file("a/b.py", "")],
      [file("c/__init__.py", ""), file("c/d.py", "")],
      [{ from: "a/__init__.py", to: "c/__init__.py" }],
    ],
    [
      "once, by the more similar one",
      [file("a.js", body)],
      [file("b.js", `${body}f();\n`), file("c.js", body)],
      [{ from: "a.js", to: "c.js" }],
    ],
  ])("%s", (_what, deleted, added, expected) => {
    expect(moves(deleted, added)).toEqual(expected);
  });
});

const follow = (path: string, text: string, from: string, to: string, others: readonly string[] = []): string =>
  repointed(path, text, [{ from, to }], (other) => other === to || others.includes(other));

describe("a judge file follows", () => {
  test.each([
    [
      "test/a.test.js",
      'import { f } from "../src/a.js";',
      "src/a.js",
      "src/b/a.js",
      'import { f } from "../src/b/a.js";',
    ],
    ["src/a.test.ts", "import { f } from './a';", "src/a.ts", "src/b/c.ts", "import { f } from './b/c';"],
    ["src/a.test.ts", "import { f } from './a.js';", "src/a.ts", "src/c.ts", "import { f } from './c.js';"],
    [
      "test/a.test.js",
      'const a = require("../src/cart");',
      "src/cart/index.js",
      "src/shop/index.js",
      'const a = require("../src/shop");',
    ],
    [
      "test/a.test.ts",
      'vi.mock("../src/a.ts", () => ({}));\nawait import("../src/a.ts");',
      "src/a.ts",
      "src/b.ts",
      'vi.mock("../src/b.ts", () => ({}));\nawait import("../src/b.ts");',
    ],
    [
      "test/a.test.ts",
      'export * from "@/cart/total";',
      "src/cart/total.ts",
      "src/shop/sum.ts",
      'export * from "@/shop/sum";',
    ],
    ["test/a.test.ts", 'import x from "lodash/total";', "src/total.ts", "src/sum.ts", 'import x from "lodash/total";'],
    [
      "test/a.test.ts",
      '// from "../src/a.js"\nconst s = "import \'../src/a\'";',
      "src/a.js",
      "src/b.js",
      '// from "../src/a.js"\nconst s = "import \'../src/a\'";',
    ],
    [
      "test/a.test.ts",
      'readFileSync("src/a.txt"); spawn("node", ["./bin/a.js", "a.js"]);',
      "bin/a.js",
      "bin/b.js",
      'readFileSync("src/a.txt"); spawn("node", ["./bin/b.js", "a.js"]);',
    ],
    ["tests/test_a.py", "from pkg.a import f, g", "pkg/a.py", "pkg/sub/b.py", "from pkg.sub.b import f, g"],
    ["tests/test_a.py", "from pkg.a import f", "src/pkg/a.py", "src/pkg/b.py", "from pkg.b import f"],
    ["tests/test_a.py", "import pkg.a\npkg.a.f(pkg.ab)\n", "pkg/a.py", "pkg/b.py", "import pkg.b\npkg.b.f(pkg.ab)\n"],
    ["tests/test_a.py", "import a\na.f()\n", "a.py", "pkg/b.py", "import pkg.b as a\na.f()\n"],
    ["tests/test_a.py", "from pkg import a\na.f()\n", "pkg/a.py", "pkg/b.py", "from pkg import b as a\na.f()\n"],
    ["tests/test_a.py", "from pkg import a\n", "pkg/a.py", "lib2/a.py", "from lib2 import a\n"],
    [
      "tests/test_a.py",
      "def t():\n    from pkg import (a, c)\n    c()\n",
      "pkg/a.py",
      "pkg/sub/b.py",
      "def t():\n    from pkg import (c)\n    from pkg.sub import b as a\n    c()\n",
    ],
    [
      "pkg/tests/test_a.py",
      "from ..a import f\nfrom .. import a\n",
      "pkg/a.py",
      "pkg/b.py",
      "from ..b import f\nfrom .. import b as a\n",
    ],
    [
      "tests/test_a.py",
      '@patch("pkg.a.f")\ndef t(): print("pkg.a of pkg.a.f")\n',
      "pkg/a.py",
      "pkg/b.py",
      '@patch("pkg.b.f")\ndef t(): print("pkg.a of pkg.a.f")\n',
    ],
    [
      "tests/a.rs",
      "use cart::a::{f, g};\nfn t() { cart::a::f(); std::a::x(); }",
      "src/a.rs",
      "src/b/c.rs",
      "use cart::b::c::{f, g};\nfn t() { cart::b::c::f(); std::a::x(); }",
    ],
    [
      "tests/a.rs",
      "use cart::{a, x::y};\nfn t() { a::f(); }",
      "src/a.rs",
      "src/b.rs",
      "use cart::{b as a, x::y};\nfn t() { a::f(); }",
    ],
    [
      "x/x_test.go",
      'import (\n\t"example.com/m/internal/a"\n)\n',
      "internal/a/a.go",
      "pkg/b/a.go",
      'import (\n\ta "example.com/m/pkg/b"\n)\n',
    ],
    [
      "tests/run.sh",
      '. "$(dirname "$0")/../lib/a.sh"\nsh ./lib/a.sh; echo lib/a.shx\n',
      "lib/a.sh",
      "lib/b/a.sh",
      '. "$(dirname "$0")/../lib/b/a.sh"\nsh ./lib/b/a.sh; echo lib/a.shx\n',
    ],
    ["test/a_test.cpp", '#include "cart/a.h"', "include/cart/a.h", "include/shop/a.h", '#include "shop/a.h"'],
    [
      "src/test/java/ATest.java",
      "import com.x.Cart;\nimport static com.x.Cart.of;",
      "src/main/java/com/x/Cart.java",
      "src/main/java/com/y/Cart.java",
      "import com.y.Cart;\nimport static com.y.Cart.of;",
    ],
  ])("%s: %j", (path, text, from, to, expected) => {
    expect(follow(path, text, from, to)).toBe(expected);
  });

  test("not while something is still at the old path", () => {
    const text = 'import { f } from "../src/a";';
    expect(follow("test/a.test.ts", text, "src/a.js", "src/b.js", ["src/a.ts"])).toBe(text);
    expect(follow("test/a.test.ts", text, "src/a.ts", "src/b.ts", ["src/a.ts"])).toBe(text);
    expect(follow("tests/test_a.py", "from pkg.a import f", "pkg/a.py", "pkg/b.py", ["pkg/a/__init__.py"])).toBe(
      "from pkg.a import f",
    );
  });

  test("two files that swapped folders", () => {
    const moved = [
      { from: "src/a.js", to: "src/x/a.js" },
      { from: "src/b.js", to: "src/y/b.js" },
    ];
    const text = 'import "../src/a.js";\nimport "../src/b.js";\n';
    expect(repointed("test/t.js", text, moved, () => false)).toBe('import "../src/x/a.js";\nimport "../src/y/b.js";\n');
  });
});

test.each(["t.ts", "t.py", "t.rs", "t_test.go", "t.sh", "t.cpp", "t.java", "t.json"])(
  "%s: any text without the moved name is unchanged",
  (path) => {
    const piece = fc.constantFrom(
      "import ",
      "from ",
      '"./b"',
      "'x/y'",
      "use ",
      "crate::",
      "b",
      ".",
      "::",
      "(",
      ")",
      "{",
      "}",
      ",",
      ";",
      "\n",
      " ",
      '"',
      "'",
      "mock(",
      "as ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const moved = [
          { from: "src/moved.ts", to: "src/new.ts" },
          { from: "src/moved.py", to: "src/new.py" },
          { from: "src/moved.rs", to: "src/new.rs" },
          { from: "moved/a.go", to: "new/a.go" },
        ];
        expect(repointed(path, text, moved, () => false)).toBe(text);
      }),
      { numRuns: 200 },
    );
  },
);
