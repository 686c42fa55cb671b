// Whether the run itself started this program. Agents may not make a person's decisions.
import { UserError } from "../../core/errors.ts";
import { carriersOf, listProcesses, ourselves } from "../../host/process/processes.ts";

/**
 * Sessions and checks carry the run's mark from their start, so an ancestor process still shows it even if it was
 * removed from our environment. This is not a security boundary: a program that cuts every tie to its session is not
 * detected.
 */
export function refuseInside(run: string): void {
  const among = listProcesses();
  const line = ourselves(among);
  const ours = among.filter(({ pid }) => line.has(pid));
  if ((process.env["LOOP_SESSION"] ?? "") === "" && carriersOf(`LOOP_RUN=${run}`, ours).length === 0) return;
  throw new UserError("not-a-person", {
    what: "Nothing was decided.",
    why: "This command was started by a session of the run, and the answer is a person's.",
    next: "Run it in a terminal of your own.",
  });
}
