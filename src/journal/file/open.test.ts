// The file journal passes the suite.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeJournal, type SuiteEvent } from "../../testing/journal-suite.ts";
import { openFileJournal } from "./open.ts";

describeJournal("file", () => {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-journal-"));
  const options = { vaultDir: join(dir, "vault"), mirrorDir: join(dir, "work/.loop"), run: "run-1" };
  const parse = (json: unknown) => json as SuiteEvent;
  return {
    open: (given) => openFileJournal({ ...options, parse, stateVersion: 1, ...given }),
    crash: () => undefined, // Nothing is buffered: acknowledged events no longer depend on this process.
    remove: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
});
