// Whether assertions and protected files still bite (runs K and F).
import type { Canary } from "../runs/canary.ts";
import type { Hollow } from "../runs/hollow.ts";
import { group, listed, type Said } from "./said.ts";

export function saidOfCanary(found: Canary): Said {
  switch (found.is) {
    case "red": {
      const records = [group("K", "noticed", "a wrong expectation fails")];
      const { dulled = [] } = found;
      if (dulled.length === 0) return { records };
      const why = `These old tests pass over this change whatever they expect, and did not before: ${listed(dulled)}. They no longer reach what they test.`;
      return { records, missing: [why] };
    }
    case "not-shown":
      return { records: [group("K", "not-shown", `not shown: ${found.why}`)] };
    case "green": {
      const text = `An old test that was made wrong on purpose (${found.what}) passes over this change and fails without it: the change turns assertions or reports off.`;
      return {
        records: [group("K", "not-noticed", "a wrong expectation passes")],
        failures: [{ kind: "tampering", key: "canary", text }],
      };
    }
  }
}

/** `changed`: the protected files that changed. */
export function saidOfHollow({ noticed, missed }: Hollow, changed: readonly string[]): Said {
  const how = noticed.length === 0 ? "not-shown" : missed.length === 0 ? "noticed" : "not-noticed";
  const records = [group("F", how, `${noticed.length - missed.length} of ${noticed.length} still noticed`)];
  if (missed.length > 0) {
    const text = `With the protected files that were changed (${listed(changed)}), tests no longer notice when this is emptied: ${listed(missed)}`;
    return { records, failures: [{ kind: "tampering", key: `hollow:${missed.join(",").slice(0, 150)}`, text }] };
  }
  if (noticed.length > 0 || changed.length === 0) return { records };
  const why = `Protected files were changed, and nothing shows that the tests still bite: ${listed(changed)}. A person has to look.`;
  return { records, missing: [why] };
}
