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

export async function play({ project, run, change, feature, earlier = [], turns }: Given): Promise<Played> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-play-"));
  const one: Case = {
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
  };
  try {
    return await playCase(one, {
      committed: false,
      must: turns === undefined ? "stay-green" : "turn-green",
      depth: "standard",
      dir,
      packages,
    });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
