// What an adapter takes from the machine it runs on; tests give their own, so that nothing of theirs leaks in.
import type { HostEnv } from "./cli-env.ts";

export type Machine = {
  env: HostEnv;
  isRoot: boolean;
  now: () => number;
  /** The zone in which an agent on this machine names times of day, where it is not the one of this process. */
  zone?: string;
};

export const thisMachine = (): Machine => ({
  env: process.env,
  isRoot: process.getuid?.() === 0,
  now: () => Date.now(),
});
