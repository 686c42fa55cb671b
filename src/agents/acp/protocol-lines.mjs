// Filters out lines that are not protocol messages: agents print banners and warnings to stdout.
import { Transform } from "node:stream";

/** No message is this long; a longer one would have to be held in memory. */
const lineBytesMax = 16 << 20;

/** Passes lines that could be messages, and drops all others of any length, in little memory. */
export function protocolLines() {
  let pieces = [];
  let size = 0;
  const flush = (push) => {
    const line = size > 0 && size <= lineBytesMax ? Buffer.concat(pieces) : null;
    pieces = [];
    size = 0;
    if (line !== null && isMessage(line)) push(line);
  };
  return new Transform({
    transform(chunk, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(10, from);
        const piece = chunk.subarray(from, at === -1 ? chunk.length : at + 1);
        size += piece.length;
        if (size <= lineBytesMax) pieces.push(piece);
        else pieces = [];
        if (at !== -1) flush((line) => this.push(line));
        from += piece.length;
      }
      done();
    },
  });
}

/** Checks only both ends: the library parses it. */
function isMessage(line) {
  const text = line.toString("latin1", 0, 64).trimStart() + line.toString("latin1", Math.max(0, line.length - 8));
  return text.startsWith("{") && text.trimEnd().endsWith("}");
}
