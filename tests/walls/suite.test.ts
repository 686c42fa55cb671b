// What every agent must do, done inside walls: started, watched, ended and found again like any other.
import { join } from "node:path";
import { describe } from "vitest";
import { commandAgent } from "../../src/agents/command/command.ts";
import { findOnPath } from "../../src/host/confine/toolchains.ts";
import { describeAgent } from "../../src/testing/agent-suite.ts";
import { misbehavingProgram } from "../../src/testing/misbehaving-program.ts";
import { walls } from "./rig.ts";

const program = findOnPath("bwrap", process.env) ?? "";

describe.skipIf(!walls.works)("inside walls", () => {
  describeAgent("walled", {
    make: (behaviour, folder) =>
      commandAgent({ kind: "command", command: [process.execPath, misbehavingProgram(folder), behaviour] }),
    walls: (folder) => ({
      program,
      root: join(folder, "workspace"),
      state: join(folder, "state"),
      hides: [],
      network: "none",
    }),
  });
});
