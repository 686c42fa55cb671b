// Asks once whether the programs that a repository's own configuration names may run.
import { join } from "node:path";
import { type Reader, readOnce } from "../project/config/read-once.ts";
import { namedLines, notTrusted, requireTrust, trust, untrusted } from "../project/config/trust.ts";
import { choose, dropTyped } from "./ask.ts";
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
  const unagreed = untrusted(root, disk);
  if (unagreed === null) return;
  const { file, named } = unagreed;
  context.comment(
    [`${join(root, file)} names what will run here, with your rights:`, ...namedLines(named), ""].join("\n"),
  );
  await dropTyped();
  const said = await choose(
    { text: "Agree, until it changes?", otherwise: "", choices: ["[y]es", "[n]o"] },
    { what: "Nothing was started.", why: "The question was not answered.", next: `Read ${file}, then try again.` },
  );
  if (said === "n") throw notTrusted(root, unagreed);
  trust(root, disk);
}
