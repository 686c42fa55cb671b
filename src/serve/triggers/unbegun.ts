// Firings of a workspace's triggers that began no run: a person who looks in the morning has to know of them.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { vaultsDir } from "../../workspace/vault.ts";
import { placesIn } from "../places.ts";
import { readFirings } from "./firing-log.ts";

/** Newest first. A record that cannot be read is the server's trouble, and says so there. */
export function unbegunIn(
  root: string,
  since: number,
): readonly { readonly at: number; readonly trigger: string; readonly why: string }[] {
  try {
    const { firings, refusals } = readFirings(placesIn(join(vaultsDir(), "serve")).firings);
    const failed = [...firings.values()].flatMap(({ status, note, ...firing }) =>
      status === "failed" ? [{ ...firing, at: firing.firedAt, why: note ?? "" }] : [],
    );
    return [...failed, ...refusals]
      .filter((each) => each.root === root && each.at > since)
      .map(({ at, trigger, why }) => ({ at, trigger, why }))
      .sort((one, other) => other.at - one.at);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
