// A person says that what a session may only assume is met. The rest was proved on this very tree: the hold ends as met.
import { UserError } from "../core/errors.ts";
import { lockWorkspace } from "../project/place/lock.ts";
import { personHere } from "../workspace/git/repository/person.ts";
import { openWorkspace } from "../workspace/open.ts";
import { endHold, holdsOf } from "./store.ts";
import { metText } from "./words.ts";

/** What the person is told. Throws a UserError if nothing waits for that, or no longer. */
export async function acceptAssumed(root: string): Promise<string> {
  const lock = await lockWorkspace(root, "loop hook accept");
  try {
    for (const { file, read } of holdsOf(root)) {
      if (!read.ok || read.hold.assumes === null) continue;
      const { hold } = read;
      const { tree } = read.hold.assumes;
      const workspace = await openWorkspace({ root: hold.root, kind: hold.kind });
      if ((await workspace.tree()) !== tree)
        throw refusal(
          "The folder has changed since the session was proved but for that.",
          "Let the session end its turn again.",
        );
      const text = metText(hold, tree, await personHere(root));
      endHold(file, hold, "met", text);
      return text;
    }
    throw refusal("No held session here waits for that.", "loop hook status");
  } finally {
    await lock.release();
  }
}

const refusal = (why: string, next: string): UserError =>
  new UserError("nothing-held", { what: "Nothing was accepted.", why, next });
