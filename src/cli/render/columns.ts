// How wide the reader's terminal is.

/** Undefined: not a terminal, so nothing is wrapped. */
export const columnsOf = (out: NodeJS.WriteStream): number | undefined =>
  out.isTTY === true ? out.columns : undefined;
