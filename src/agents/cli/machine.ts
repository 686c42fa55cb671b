// An adapter's inputs from the machine; tests pass their own, so that the real machine does not leak in.
import type { Door } from "../../host/confine/confine.ts";
import type { HostEnv } from "./cli-env.ts";

export type Machine = {
  env: HostEnv;
  isRoot: boolean;
  now: () => number;
  /** The time zone that agents on this machine use, if it differs from this process's. */
  zone?: string;
  /** Walls for a look at an agent's program, which may read these files of its login. Omitted: none. */
  look?: (login: readonly string[]) => Door;
};

export const thisMachine = (): Machine => ({
  env: process.env,
  isRoot: process.getuid?.() === 0,
  now: () => Date.now(),
});
