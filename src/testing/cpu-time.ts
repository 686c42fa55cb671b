// How long a computation takes where others share the processor: the time of this process alone.

/** Milliseconds of processor time that this process has used. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
