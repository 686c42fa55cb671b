// Which words of a feature are an example that can be run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of other languages.
import { expect, test } from "vitest";
import { commandsIn, examplesIn, pairsIn, startedIn } from "../examples.ts";

const found = (text: string): string[] =>
  examplesIn([text])
    .flatMap(({ steps }) => steps)
    .map((step) => {
      if (step.is === "setup") return `> ${step.code}`;
      const { code, expects } = step;
      if ("holds" in expects) return `${code} holds`;
      return "value" in expects ? `${code} = ${expects.value}` : `${code} throws ${expects.throws ?? ""}`.trim();
    });

test.each([
  ["median([3, 1, 2]) is 2", ["median([3, 1, 2]) = 2"]],
  ['slug("A b") returns "a-b".', ['slug("A b") = "a-b"']],
  ["`slug('A')` should return `'a'`", ["slug('A') = 'a'"]],
  ["add(1, -2.5) == -1.5 and add(0, 0) == 0", ["add(1, -2.5) = -1.5", "add(0, 0) = 0"]],
  ["parse('a=1') gives {\"a\": 1}", ["parse('a=1') = {\"a\": 1}"]],
  ["range(3) → [0, 1, 2], range(0) → []", ["range(3) = [0, 1, 2]", "range(0) = []"]],
  ["divide(1, 0) throws a RangeError", ["divide(1, 0) throws RangeError"]],
  ["load('') raises ValueError", ["load('') throws ValueError"]],
  ["f() must throw", ["f() throws"]],
  ["`await load('x')` rejects with a RangeError", ["await load('x') throws RangeError"]],
  ["cents(5) -> '0.05'", ["cents(5) = '0.05'"]],
  [">>> cents(5)\n'0.05'\n>>> cents(7)\n'0.07'", ["cents(5) = '0.05'", "cents(7) = '0.07'"]],
  ["isEven(2) is true", ["isEven(2) = true"]],
  ["new Temperature(20).kelvin() returns 293.15", ["new Temperature(20).kelvin() = 293.15"]],
  ["Account('ann', 5).deposit(2) is 7", ["Account('ann', 5).deposit(2) = 7"]],
  ["Account('ann').withdraw(1) raises ValueError", ["Account('ann').withdraw(1) throws ValueError"]],
  ["list(3).map(1).join('-') is 'a-b'", ["list(3).map(1).join('-') = 'a-b'"]],
  ["`Text.initials('Ada Lovelace')` is `'AL'`", ["Text.initials('Ada Lovelace') = 'AL'"]],
  ['decode turns "3a1b" back into "aaab"', ['decode("3a1b") = "aaab"']],
  ["`label(n)` turns 3 into 'three', and more", ["label(3) = 'three'"]],
  ["find(9) returns None", ["find(9) = None"]],
  ["`duration(3725)` → `1:02:05`", ['duration(3725) = "1:02:05"']],
  [
    '`slug("Crème Brûlée")` → `creme-brulee`, `slug("A  b")` → `a-b`',
    ['slug("Crème Brûlée") = "creme-brulee"', 'slug("A  b") = "a-b"'],
  ],
  ['slug("A b") evaluates to "a-b"', ['slug("A b") = "a-b"']],
  ['slug("A b") // "a-b"', ['slug("A b") = "a-b"']],
  ['slug("A b"): "a-b"', ['slug("A b") = "a-b"']],
  ['calling slug with "A b" yields "a-b"', ['slug("A b") = "a-b"']],
  ['```js\nassert.equal(slug("A b"), "a-b");\n```', ['assert.equal(slug("A b"), "a-b") holds']],
  ['```js\nassert.throws(() => slug(""), RangeError)\n```', ['assert.throws(() => slug(""), RangeError) holds']],
  ['```py\nself.assertEqual(slug("A b"), "a-b")\n```', ['slug("A b") = "a-b"']],
  ['expect(slug("A b")).toBe("a-b")', ['slug("A b") = "a-b"']],
  ["divide(6, 3) returns 2. The rest stays.", ["divide(6, 3) = 2"]],
  ["await settle([async () => 1]) is [1, null]", ["await settle([async () => 1]) = [1, null]"]],
  ["adder(1)(2.5) is 3.5", ["adder(1)(2.5) = 3.5"]],
  ['parse("1.20").minor is 20', ['parse("1.20").minor = 20']],
  ["[...range(1, 4)] is [1, 2, 3, 4]", ["[...range(1, 4)] = [1, 2, 3, 4]"]],
  ["DEFAULTS.retries is 7", ["DEFAULTS.retries = 7"]],
  ["`defaults.retries` is `7`", ["defaults.retries = 7"]],
  ["ids(3).length is 3", ["ids(3).length = 3"]],
  ["2 * half(7) is 7", []],
  ["`2 * half(7)` is 7", ["2 * half(7) = 7"]],
  ["half(7) + 1 is 4.5", ["half(7) + 1 = 4.5"]],
  ["new Stack(0) throws a RangeError", ["new Stack(0) throws RangeError"]],
  ["`human(1536)` → `1.5 KB`", ['human(1536) = "1.5 KB"']],
  ["If the list is empty, mean([]) is 0", ["mean([]) = 0"]],
  ["slug('A') equals slug('a')", ["slug('A') = slug('a')"]],
  ['str(Version.parse("1.2")) is "1.2.0"', ['str(Version.parse("1.2")) = "1.2.0"']],
  ['`assert Version("2") > Version("1")`', ['Version("2") > Version("1") holds']],
  ['```js\nhuman(12); // "12 B"\nhuman(1536); // => "1.5 KB"\n```', ['human(12) = "12 B"', 'human(1536) = "1.5 KB"']],
  [
    '```js\nimport { History } from "history";\nconst history = new History();\nhistory.add("a");\nhistory.undo(); // undefined\n```',
    ["> const history = new History();", '> history.add("a");', "history.undo() = undefined"],
  ],
  [
    "```python\ncart = Cart()\ncart.add(2)\nprint(cart.total())  # 2\nassert cart.count() == 1\n```",
    ["> cart = Cart()", "> cart.add(2)", "cart.total() = 2", "cart.count() == 1 holds"],
  ],
])("%s", (text, examples) => {
  expect(found(text)).toEqual(examples);
});

test.each([
  "total(items) is the sum",
  "add(1, 2): 3 tests",
  "assert.notEqual(add(1, 2), 4)",
  "take(5) returns 5 items",
  "count() returns 2 after two calls",
  "mean([]) currently returns 4",
  "add(1, 2) returns 4 instead of 3",
  "add(1, 2) does not return 4",
  "greet(name) is 'Hello'",
  "f(1) is a number",
  "new Stack(3) is 3",
  "f(`${x}`) is 1",
  "sort([3, 1]) is [1,",
  "mean([]) returns 4. Fix that: it should be 0.",
  "Fix divide(1, 0) returns 0",
  "divmod(7, 2) returns 3, 1",
  "countdown(3) yields 3, 2, 1",
  "bump(2) raises the counter by 2",
  "discard(3) throws away three cards",
  "`load('x')` → `Promise`",
  "`kind('x')` returns `Map of names`",
  "`now('x')` → `start + 5`",
  "`path('x')` is `x/<name>.js`",
  "`toBytes('a')` returns `Uint8Array`",
  "`width('a')` returns `int64`",
  "`next('a')` is `x+1`",
  "`last('a')` is `other.length-1`",
])("no example: %s", (text) => {
  expect(found(text)).toEqual([]);
});

const prints = (command: string, text: string, on = "stdout") => [{ command, gives: { prints: text, on } }];
test.each([
  ["`node bin/todo.js count` prints `2`", prints("node bin/todo.js count", "2")],
  ['`./sum.sh 1 2` must print "3".', prints("./sum.sh 1 2", "3")],
  ['`./sum.sh 1 2` prints "3" and ends', prints("./sum.sh 1 2", "3")],
  ["`echo 'a b c' | node bin/count.js` prints `3`", prints("echo 'a b c' | node bin/count.js", "3")],
  ["`node bin/count.js < test/three.txt` prints `3`", prints("node bin/count.js < test/three.txt", "3")],
  ["`printf 'A BC\\n' | node bin/count.js` → `2`", prints("printf 'A BC\\n' | node bin/count.js", "2")],
  ["`./sum.sh x` prints `no number: x` on stderr", prints("./sum.sh x", "no number: x", "stderr")],
  ["`./sum.sh x` exits with code 2", [{ command: "./sum.sh x", gives: { exits: 2 } }]],
  ["Try it:\n```sh\n$ ./sum.sh 1 2\n3\n```", prints("./sum.sh 1 2", "3")],
  ["`npm test` prints `ok`", prints("npm test", "ok")],
  ["`node bin/todo.js add NAME | wc` prints `2`", []],
  ["`node bin/todo.js list` prints `<id> <name>`", []],
  ["`node bin/todo.js list` prints `1` instead", []],
  ["`node bin/todo.js $(cat x)` prints `1`", []],
  ["`human(1536)` → `1.5 KB`, `greeting` prints `hello`", []],
  ["`./bin/words FILE` prints `3`", []],
  ["Do it.\n> `node a.js` prints `1`", []],
])("commands in %s", (text, expected) => {
  expect(commandsIn([text])).toEqual(expected);
});

test.each([
  ["`./bin/words FILE` prints the number of words", ["bin/words"]],
  ["`$ ./setup.sh` makes the folder; `./setup.sh -n` only says so", ["setup.sh"]],
  ["It is exported from `./slug.js`", []],
  ["If there is no file, `./bin/words` fails", []],
  ["Do it.\n> `./bin/words`", []],
])("programs that are started in %s", (text, expected) => {
  expect(startedIn([text])).toEqual(expected);
});

test.each([
  ['`slug("Äpfel")` gives aepfel', "aepfel"],
  ['slug("Äpfel") -> aepfel', "aepfel"],
  ['slug("Big Sale") returns big-sale.', "big-sale"],
  ['slug("A b") gives nothing', null],
  ['slug("Valid") is valid', null],
  ['slug("Hello") returns early', null],
  ['slug("Äpfel") gives an aepfel', null],
  ['slug("Äpfel") gives aepfel if asked', null],
])("a value without quotes: %s", (text, value) => {
  const expected = value === null ? [] : [{ steps: [{ expects: { value: JSON.stringify(value) }, isBare: true }] }];
  expect(examplesIn([text])).toMatchObject(expected);
});

test.each([
  ["e.g. Äpfel -> aepfel", [["Äpfel", "aepfel"]]],
  ["Umlauts become letters (for example Äpfel → aepfel).", [["Äpfel", "aepfel"]]],
  ["Examples: Bücher => buecher.", [["Bücher", "buecher"]]],
  ["Äpfel -> aepfel", []],
  ["e.g. main -> run", []],
  ["e.g. it goes from Äpfel -> aepfel", []],
  ["Fix the wrong result, e.g. Äpfel -> aepfel", []],
])("what goes in and what comes out: %s", (text, pairs) => {
  expect(pairsIn([text]).map(({ from, to }) => [from, to])).toEqual(pairs);
});
