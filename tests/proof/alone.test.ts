// New tests that pass only since another test file changes what they see are told apart from those that read the code's text.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const money = 'def shown(cents):\n    return f"{cents // 100}.{cents % 100:02d}"\n';
const planted = `import shop.money
from shop.money import shown

_joined = getattr(shop.money, "joined", None)
if _joined is not None:
    shop.money.joined = lambda amounts: ", ".join(map(shown, amounts)) if _joined(amounts) is not None else None


def test_shown():
    assert shown(1234) == "12.34"
`;
const project: Edit = {
  "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
  "shop/__init__.py": "",
  "shop/money.py": money,
  "tests/test_a_money.py": planted,
};
const joining = (body: string) =>
  play({
    project,
    run: "python3 -m pytest -q",
    change: {
      "shop/money.py": `${money}\n\ndef joined(amounts):\n    return ${body}\n`,
      "tests/test_joined.py":
        'from shop.money import joined\n\n\ndef test_joined():\n    assert joined([1234, 5]) == "12.34, 0.05"\n    assert joined([]) == ""\n',
    },
    feature: { name: "Add joined(amounts) to shop/money.py", criteria: ["the amounts, with commas between them"] },
  });

test("a function that another test file replaces is held, for that reason", { timeout: 120_000 }, async () => {
  const { outcome, why } = await joining("str(amounts)");
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/only the new test files are run.*test_joined/)]);
});

test("one that does it itself is accepted", { timeout: 120_000 }, async () => {
  expect((await joining('", ".join(map(shown, amounts))')).outcome).toBe("accepted");
});
