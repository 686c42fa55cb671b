// Python in a virtual environment, with the package itself installed as editable: its path points back into the folder.
import { code, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/tally/__init__.py": [
      ["from tally.parse import parse_line", "from tally.months import by_month\nfrom tally.parse import parse_line"],
      ['__all__ = ["balance"', '__all__ = ["balance", "by_month"'],
    ],
    "src/tally/months.py": code`
      """Balances per month."""
      from collections import defaultdict

      from tally.parse import Entry


      def by_month(entries: list[Entry]) -> dict[str, int]:
          """The sum of every month that has an entry, in order of time."""
          sums: dict[str, int] = defaultdict(int)
          for entry in sorted(entries, key=lambda entry: entry.day):
              sums[entry.day.strftime("%Y-%m")] += entry.cents
          return dict(sums)
    `,
  },
  tests: {
    "tests/test_months.py": code`
      from tally import by_month, parse_line

      LINES = ["2024-02-29 rent -800.00", "2024-01-31 salary 2500.00", "2024-02-01 books -30.50"]


      def test_months_are_added_up_and_in_order():
          months = by_month([parse_line(line) for line in LINES])
          assert list(months.items()) == [("2024-01", 250_000), ("2024-02", -83_050)]


      def test_without_entries_there_is_no_month():
          assert by_month([]) == {}
    `,
  },
} as const;

const install = [
  // Pytest and setuptools come from the machine's own Python.
  "python3 -m venv --system-site-packages .venv",
  // The second command is for machines whose setuptools cannot build a wheel.
  ".venv/bin/python -m pip install --quiet --editable . --no-build-isolation --no-deps || .venv/bin/python setup.py --quiet develop --no-deps",
];

export const pythonEditable: Wild = {
  files: {
    ".gitignore": ".venv/\n__pycache__/\n*.egg-info/\n.pytest_cache/\nbuild/\n",
    "README.md": "# tally\n\nA plain-text account book. `tally book.txt` prints the balance.\n",
    "setup.py": "from setuptools import setup\n\nsetup()\n",
    "pyproject.toml": code`
      [build-system]
      requires = ["setuptools>=61"]
      build-backend = "setuptools.build_meta"

      [project]
      name = "tally"
      version = "0.4.0"
      requires-python = ">=3.9"

      [project.scripts]
      tally = "tally.main:main"

      [tool.setuptools.packages.find]
      where = ["src"]

      [tool.pytest.ini_options]
      testpaths = ["tests"]
      # Without this, pytest's own import mode could find the sources where the installation does not.
      addopts = "--import-mode=importlib"
    `,
    "src/tally/__init__.py": code`
      """A plain-text account book."""
      from tally.parse import parse_line
      from tally.sums import balance

      __all__ = ["balance", "parse_line"]
    `,
    "src/tally/parse.py": code`
      """Lines of the book: a day, a name, an amount."""
      import re
      from dataclasses import dataclass
      from datetime import date

      LINE = re.compile(r"^(\d{4}-\d\d-\d\d) (.+) (-?)(\d+)\.(\d\d)$")


      @dataclass(frozen=True)
      class Entry:
          day: date
          name: str
          cents: int


      def parse_line(line: str) -> Entry:
          found = LINE.match(line.strip())
          if found is None:
              raise ValueError(f"not an entry: {line!r}")
          day, name, sign, whole, rest = found.groups()
          cents = int(whole) * 100 + int(rest)
          return Entry(date.fromisoformat(day), name.strip(), -cents if sign else cents)
    `,
    "src/tally/sums.py": code`
      """Sums over entries."""
      from tally.parse import Entry


      def balance(entries: list[Entry], name: str = "") -> int:
          """Of all entries, or of those with this name in any case of letters."""
          wanted = name.casefold()
          return sum(entry.cents for entry in entries if wanted in ("", entry.name.casefold()))
    `,
    "src/tally/main.py": code`
      """The command line."""
      import sys

      from tally.parse import parse_line
      from tally.sums import balance


      def main(args: "list[str] | None" = None) -> int:
          (path,) = sys.argv[1:] if args is None else args
          with open(path, encoding="utf-8") as book:
              entries = [parse_line(line) for line in book if line.strip()]
          print(f"{balance(entries) / 100:.2f}")
          return 0
    `,
    "tests/test_parse.py": code`
      from datetime import date

      import pytest

      from tally import parse_line


      def test_an_entry_has_day_name_and_cents():
          entry = parse_line("2024-03-01 coffee beans -12.05")
          assert (entry.day, entry.name, entry.cents) == (date(2024, 3, 1), "coffee beans", -1205)


      @pytest.mark.parametrize("line", ["", "2024-03-01 coffee", "2024-13-01 coffee 1.00", "1 coffee 1.00"])
      def test_anything_else_is_refused(line):
          with pytest.raises(ValueError):
              parse_line(line)
    `,
    "tests/test_sums.py": code`
      from tally import balance, parse_line
      from tally.main import main

      BOOK = ["2024-03-01 Coffee -3.00", "2024-03-02 coffee -2.50", "2024-03-03 tea -1.00"]
      ENTRIES = [parse_line(line) for line in BOOK]


      def test_the_balance_is_of_all_entries():
          assert balance(ENTRIES) == -650


      def test_names_are_compared_without_case():
          assert balance(ENTRIES, "COFFEE") == -550


      def test_the_program_prints_the_balance(tmp_path, capsys):
          book = tmp_path / "book.txt"
          book.write_text("\n".join(BOOK), encoding="utf-8")
          assert main([str(book)]) == 0
          assert capsys.readouterr().out == "-6.50\n"
    `,
  },
  install,
  reinstall: install,
  check: { run: ".venv/bin/python -m pytest -q" },
  expect: { lines: 0 },
  feature,
  broken: {
    product: {
      ...feature.product,
      "src/tally/sums.py": [
        ["with this name in any case of letters", "with this name"],
        ["wanted = name.casefold()", "wanted = name"],
        ['("", entry.name.casefold())', '("", entry.name)'],
      ],
    },
    tests: {
      ...feature.tests,
      "tests/test_sums.py": [
        ["test_names_are_compared_without_case", "test_names_are_compared"],
        ['balance(ENTRIES, "COFFEE") == -550', 'balance(ENTRIES, "coffee") == -250'],
      ],
    },
  },
};
