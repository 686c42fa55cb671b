// The walls around agents on this machine.
import type { Settings } from "../../formats/config/settings.ts";
import { agentsFor } from "../plan/plan-run.ts";
import { sayMachineWalls, sayWalls } from "../walls/walls.ts";
import { crewOf } from "./agents.ts";
import type { Finding } from "./finding.ts";

/** Without walls everything works, so this is a note, unless the configuration requires them. */
export async function wallsFindings(settings: Settings, root: string): Promise<Finding[]> {
  const crew = await crewOf(root, settings);
  const agents = crew === null ? settings.agents : agentsFor(settings, crew);
  const { text: says, isOff, fix } = crew === null ? await sayMachineWalls() : await sayWalls(agents, root);
  const isRequired = Object.values(agents).some((agent) => agent?.sandbox === "require");
  if (fix === null) return [{ what: "walls", is: isOff ? "note" : "good", says }];
  return [{ what: "walls", is: isRequired ? "bad" : "note", says, next: fix }];
}
