// Whether this machine can confine processes; the tests of walls are skipped where it cannot.
import { mkdtempSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryWalls } from "../../src/host/confine/trial.ts";

export const walls = await tryWalls(join(mkdtempSync(join(tmpdir(), "loop-trial-")), "walls.json"));

/** The sockets of a process's gateways. */
export const socketsOf = (pid: number): string[] =>
  readdirSync("/tmp")
    .filter((name) => name.startsWith(`loop-gateway-${pid}-`))
    .map((name) => join("/tmp", name, "model.sock"));

export const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(socket, () => {
      client.destroy();
      resolve(true);
    });
    client.on("error", () => resolve(false));
  });
