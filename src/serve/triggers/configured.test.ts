// Which triggers fire, by what lets work go on.
import { expect, test } from "vitest";
import { settle } from "../../formats/config/settings.ts";
import { firing } from "./configured.ts";

const triggers = [
  { name: "nightly", cron: { at: "0 3 * * *" } },
  { name: "moved", git: { branch: "main" } },
  { name: "called", webhook: { from: "json" as const, secret_env: "SECRET" } },
];

test.each([
  [undefined, ["nightly", "moved", "called"]],
  ["auto", ["nightly", "moved", "called"]],
  ["scheduled", ["nightly"]],
  ["event", ["moved", "called"]],
  ["manual", []],
] as const)("continuation %s lets %j fire", (continuation, names) => {
  const settings = settle({ triggers, ...(continuation === undefined ? {} : { continuation }) });
  expect(firing(settings).map(({ name }) => name)).toEqual(names);
});
