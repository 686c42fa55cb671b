// Every bad agent of the drill's cast in a JavaScript project, committed and not, and the honest twin of each.
import { expect, test } from "vitest";
import { cheats, nameOf, senseless } from "./combinations.ts";
import { describeCast } from "./describe-cast.ts";
import { twins } from "./twins.ts";

describeCast("JavaScript");

test("every cheat has a twin and a name, and a combination that is left out has a reason", () => {
  expect(Object.keys(twins).sort()).toEqual(cheats.map(({ name }) => name).sort());
  for (const act of cheats) nameOf({ act, language: "JavaScript", level: "run" });
  const left = cheats.flatMap((act) =>
    (["run", "feature"] as const).flatMap((level) =>
      (["cheat", "committed"] as const).flatMap((player) => {
        const why = senseless(act, level, player);
        return why === null ? [] : [`${act.name}, ${level}, ${player}: ${why}`];
      }),
    ),
  );
  // Eight never come to a check, and one is a commit by definition.
  expect(left).toHaveLength(8 * 2 + 2);
});
