// Is this a program that the run itself started? What a person decides is not an agent's to say.
import { UserError } from "../../core/errors.ts";
import { carriersOf, listProcesses, ourselves } from "../../host/process/processes.ts";

/**
 * A session and a check carry the run's mark from their start, so that it is found in whoever started us even where it was
 * taken out of our own environment. This is no wall: a program that cuts every tie to its session is not seen.
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
