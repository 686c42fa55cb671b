// Asks once whether the programs that a repository's own loop.yaml names may run.
import { type Reader, readOnce } from "../project/read-once.ts";
import { namedLines, notTrusted, requireTrust, trust, untrusted } from "../project/trust.ts";
import { ask, dropTyped } from "./ask.ts";
import { canAnswer } from "./ask-gate.ts";
import type { Context } from "./context.ts";

/** Throws if the person does not agree, or cannot be asked. `disk`: what was read already. */
export async function settleTrust(
  context: Context,
  flags: { trust?: boolean },
  disk: Reader = readOnce(context.root),
): Promise<void> {
  const { root } = context;
  if (flags.trust === true || !canAnswer(context)) requireTrust(root, flags.trust === true, disk);
  const named = untrusted(root, disk);
  if (named.length === 0) return;
  context.comment(
    ["This repository's loop.yaml names what will run here, with your rights:", ...namedLines(named), ""].join("\n"),
  );
  const wrong = (answer: string): string | null => (/^(?:y(?:es)?|no?)$/i.test(answer) ? null : "Type y or n.");
  await dropTyped();
  const [said = "n"] = await ask([{ text: "Agree, until it changes? [y]es  [n]o", otherwise: "", wrong }], {
    what: "Nothing was started.",
    why: "The question was not answered.",
    next: "Read loop.yaml, then try again.",
  });
  if (/^n/i.test(said)) throw notTrusted(named);
  trust(root, disk);
}
