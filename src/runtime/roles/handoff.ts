// What a session that ran out of context leaves to its successor: the current state, as the loop itself sees it.
import type { Work } from "../../core/run.ts";
import type { RunFiles } from "../ports.ts";
import type { FeatureTask } from "./role.ts";

const place = (work: Work): string => `handoffs/${work.feature}-i${work.iteration}.md`;
const filesShown = 40;

/** Written by the loop, not by the agent: progress is in files, never only in a conversation. */
export async function writeHandoff({ work, ports, run }: Pick<FeatureTask, "work" | "ports" | "run">): Promise<void> {
  const { workspace } = ports;
  const changes = await workspace.changes(work.base.tree, await workspace.tree());
  const files = changes.slice(0, filesShown).map(({ path, kind, lines }) => `- ${path}: ${kind}, ${lines} lines`);
  const open = run.decisions.slice(-5).map(({ question, answer }) => `- ${question} → ${answer}`);
  const text = [
    `A session before this one worked on ${work.feature} and ran out of context. Its changes are in the folder:`,
    ...(files.length === 0 ? ["- none yet"] : files),
    ...(changes.length > filesShown ? [`- and ${changes.length - filesShown} more`] : []),
    ...(open.length === 0 ? [] : ["Decided so far:", ...open]),
    "Next: read these files, run the checks to see what is still missing, and finish. Do not start over.",
  ];
  ports.files.write(place(work), `${text.join("\n")}\n`);
}

export const handoffFor = (work: Work, files: RunFiles): string | null => files.read(place(work));
