import { expect, test } from "vitest";
import { feature } from "../../../testing/world/contracts.ts";
import { meantBy } from "./meant.ts";

const meant = (criterion: string) => meantBy({ ...feature("F1"), name: "", description: "", criteria: [criterion] });

test.each([
  { says: "format stays as it is", name: "format", changes: true, keeps: true },
  { says: "the total stays as it is", name: "total", changes: true, keeps: true },
  { says: "total(items, rate) adds a tax; total(items) is as before", name: "total", changes: true, keeps: true },
  { says: "slug drops accents; everything else is as before", name: "other", changes: false, keeps: true },
  { says: "timeout({}) is 30; a given timeout still wins", name: "timeout", changes: true, keeps: false },
  { says: "slug drops accents", name: "slug", changes: true, keeps: false },
  { says: "slug drops accents", name: "other", changes: false, keeps: false },
])("$says: it changes $name: $changes, and keeps it: $keeps", ({ says, name, changes, keeps }) => {
  const { changes: isChanged, keeps: isKept } = meant(says);
  expect([isChanged(name), isKept(name, [name, "slug", "format"])]).toEqual([changes, keeps]);
});
