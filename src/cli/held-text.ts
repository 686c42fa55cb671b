// A held session, where a person looks for runs. Empty: none is held here.
import { heldHere } from "../hook/held-here.ts";

export function heldText(root: string): string {
  const held = heldHere(root);
  return held === null ? "" : `${held}\nIts state: loop hook status. To end the hold: loop hook release\n`;
}
