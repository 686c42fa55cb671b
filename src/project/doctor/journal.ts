// The journal of a run: whether it can be read from beginning to end.
import type { Places } from "../../journal/file/past.ts";
import { verifyFileJournal } from "../../journal/file/verify.ts";
import { count } from "../../report/words/words.ts";
import type { Finding } from "./finding.ts";

/** The journal of a run that no process writes to now, in the vault and in the copy that people read. */
export function journalFindings(places: Places): Finding[] {
  const { vault, copy } = verifyFileJournal(places);
  const next = "loop report shows what can be read. A new run: loop cancel, then loop run";
  return [
    ...(vault.is === "whole"
      ? [{ what: "journal", is: "good" as const, says: `${count(vault.lines, "line")}, whole` }]
      : vault.is === "torn"
        ? [{ what: "journal", is: "note" as const, says: `its last line is incomplete, and left out: ${vault.flaw}` }]
        : [
            {
              what: "journal",
              is: "bad" as const,
              says: `${vault.path} is ${vault.is}: ${vault.flaw ?? "no file"}`,
              next,
            },
          ]),
    ...(copy.is === "damaged"
      ? [
          {
            what: "journal",
            is: "note" as const,
            says: `the copy in ${copy.path} was changed (${copy.flaw}); only the vault counts`,
          },
        ]
      : []),
  ];
}
