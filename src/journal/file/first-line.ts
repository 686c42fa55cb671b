// Whether a journal has its first line, without reading the rest.
import { withFile } from "../../host/disk.ts";
import { readChain } from "../chain.ts";
import { firstLink, lineBytesMax } from "../line.ts";
import { journalIn } from "./paths.ts";
import { readRange } from "./vault-file.ts";

/** Half a line is none. A damaged journal, or one of a newer release, has one: reading all of it says what is wrong. */
export const hasFirstLine = (dir: string, run: string): boolean =>
  [usual, lineBytesMax + 1].some((bytesMax) => {
    const { last, flaw } = readChain(headOf(journalIn(dir), bytesMax), firstLink(run));
    return last.seq > 0 || (flaw !== null && flaw.kind !== "torn");
  });

/** What a first line fits in. */
const usual = 1024;

const headOf = (path: string, bytesMax: number): Buffer =>
  withFile(path, { isLinkFollowed: false }, (fd, size) => readRange(fd, 0, Math.min(size, bytesMax))) ??
  Buffer.alloc(0);
