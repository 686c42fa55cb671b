// Two agents of different vendors, if both are installed and logged in: one makes, the other checks.
import { type Settings, settle } from "../../formats/config/settings.ts";
import { onPath } from "../checks/detect.ts";
import type { AgentPair } from "../plan/plan-run.ts";
import { agentsHere } from "./agents-here.ts";

/** Null: there are not two that could work. */
export async function twoVendors(root: string, settings: Pick<Settings, "env" | "sandbox">): Promise<AgentPair | null> {
  if (onPath("claude") === null || onPath("codex") === null) return null;
  const ready = (await agentsHere(root, settings)).filter(({ login }) => login === "yes");
  const [maker, checker] = ready.map(({ kind }) => settle({ agents: { maker: kind } }).agents.maker);
  return maker == null || checker == null ? null : { maker, checker };
}
