// Whose tokens are in the file.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addToken, ownerName, ownToken, readTokens } from "./tokens.ts";

const dir = fs.mkdtempSync(join(tmpdir(), "loop-tokens-"));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

test("a token that was made for another person before the first start is not the owner's", () => {
  const path = join(dir, "tokens");
  const alice = addToken(path, "alice", "write");
  const own = ownToken(path);
  expect([own.name, own.secret === alice.secret]).toEqual([ownerName, false]);
  expect(readTokens(path).map(({ name }) => name)).toEqual(["alice", ownerName]);
  expect(ownToken(path)).toEqual(own);
});

test.each([
  ["x y", /not a plain name/, "loop serve --new-token NAME, with another name"],
  ["alice", /There is a token alice/, "loop serve --new-token NAME, with another name"],
])("a token named %j is refused because of its name, not because of the file", (name, why, next) => {
  const path = join(dir, "named");
  if (!fs.existsSync(path)) addToken(path, "alice", "write");
  expect(() => addToken(path, name, "write")).toThrow(
    expect.objectContaining({ what: "No token was made.", why: expect.stringMatching(why), next }),
  );
});
