// What people have written about the project as a whole. A session is told where it is: reading is the agent's own.
import type { WorkspaceDisk } from "../ports.ts";

const guides = ["PLAN.md", "ARCHITECTURE.md"] as const;

/** The documents that exist, in the records' folder or at the top; null: there is none. */
export function writtenAbout(disk: Pick<WorkspaceDisk, "read">, recordsDir: string): string | null {
  return told(disk, [...guides.map((name) => `${recordsDir}/${name}`), ...guides]);
}

/** For a planner also what earlier runs did. */
export function writtenForPlan(disk: Pick<WorkspaceDisk, "read">, recordsDir: string): string | null {
  return told(disk, [...[...guides, "PROGRESS.md"].map((name) => `${recordsDir}/${name}`), ...guides]);
}

function told(disk: Pick<WorkspaceDisk, "read">, paths: readonly string[]): string | null {
  const found = paths.filter((path) => (disk.read(path) ?? "").trim() !== "");
  return found.length === 0 ? null : `Read first, where it bears on this work: ${found.join(", ")}.`;
}
