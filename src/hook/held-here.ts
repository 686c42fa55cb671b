// Whether a session is held in a folder. Light: `loop status` asks.
import { firstLine } from "./steps.ts";
import { holdsOf } from "./store.ts";

/** For commands about runs, which a hold is none of. Null: no session is held here. */
export function heldHere(root: string): string | null {
  const [found] = holdsOf(root);
  if (found === undefined) return null;
  const whose = found.session === null ? "The next session of claude here" : `Session ${found.session}`;
  const request = found.read.ok ? `: ${firstLine(found.read.hold.request)}` : "";
  return `${whose} is held${request}`;
}
