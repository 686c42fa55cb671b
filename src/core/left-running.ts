// Processes that outlive what started them.
/** What a session or a check left behind, as a person reads it. */
export const leftRunning = (processes: number): string =>
  processes === 1 ? "left one process running; it was ended." : `left ${processes} processes running; they were ended.`;
