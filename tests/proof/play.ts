// Plays one change through the prover, on a small project in a temporary folder.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Case, Edit } from "../../src/drill/cases/case.ts";
import { type Played, playCase } from "../../src/drill/matrix/play-case.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

export type Given = {
  readonly project: Edit;
  readonly run: string;
  readonly change: Edit;
  readonly feature: Case["feature"];
  /** Completed before it. */
  readonly earlier?: readonly Case["feature"][];
  /** The command is red before, and has to turn green. */
  readonly turns?: true;
};

export const play = ({ project, run, change, feature, earlier = [], turns }: Given): Promise<Played> =>
  playOf(
    {
      name: "",
      stack: "node",
      class: "plain-feature",
      honest: false,
      project,
      check: turns === undefined ? { run } : { run: "true", turn: run },
      change,
      feature,
      earlier,
      truth: { files: {}, run: "true" },
      expect: "accepted",
    },
    turns === undefined ? "stay-green" : "turn-green",
  );

/** A case of the drill, not committed. */
export async function playOf(one: Case, must: "stay-green" | "turn-green" = "stay-green"): Promise<Played> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-play-"));
  try {
    return await playCase(one, { committed: false, must, depth: "standard", dir, packages });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
