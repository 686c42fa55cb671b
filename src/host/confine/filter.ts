// Filters of system calls, as programs that the kernel runs before each call.

type Line = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
export type Lines = readonly Line[];

export const [load, equal, greater, hasBits, answer] = [0x20, 0x15, 0x25, 0x45, 0x06];
export const [allowed, notPermitted, notImplemented] = [0x7fff0000, 0x00050001, 0x00050026];
export const familyNotSupported = 0x00050061;
/** Where the number of the call is, that of the machine, and each argument. */
export const [callAt, machineAt] = [0, 4];
export const argumentAt = (index: number): number => 16 + 8 * index;

/** As bubblewrap takes it. */
export const assembled = (lines: Lines): Buffer => Buffer.concat(lines.map(encoded));

function encoded([code, ifTrue, ifFalse, value]: Line): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
