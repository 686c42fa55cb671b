// All repositories "in the wild", by name.
import type { Wild, WildName } from "../wild.ts";
import { compiled } from "./compiled.ts";
import { database } from "./database.ts";
import { dotenv } from "./dotenv.ts";
import { generated } from "./generated.ts";
import { go } from "./go.ts";
import { jest } from "./jest.ts";
import { pnpmWorkspace } from "./pnpm-workspace.ts";
import { pythonEditable } from "./python-editable.ts";
import { rust } from "./rust.ts";
import { vitest } from "./vitest.ts";

export const wilds: Readonly<Record<WildName, Wild>> = {
  vitest,
  jest,
  "pnpm-workspace": pnpmWorkspace,
  compiled,
  generated,
  dotenv,
  "python-editable": pythonEditable,
  database,
  go,
  rust,
};

export const wildNames = Object.keys(wilds) as readonly WildName[];
