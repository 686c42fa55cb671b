// Decides from a lock's info file whether its owner is alive. Age does not matter: a stopped owner keeps it.
import { isAlive, type Owner, parseOwner } from "./owner.ts";

export type Standing =
  | { is: "stale"; why: string }
  | { is: "held"; owner: Owner }
  /** Possibly alive, but out of this process's sight. */
  | { is: "elsewhere"; owner: Owner; why: string };

/**
 * `socketIsOurs`: this process holds the kernel lock. No owner in the same network namespace can hold it as well, so
 * that owner's file is a leftover.
 */
export function judge(text: string, me: Owner, socketIsOurs: boolean): Standing {
  const owner = parseOwner(text);
  if (owner === null) return { is: "stale", why: "its file names nobody" };
  if (owner.boot !== me.boot) {
    if (owner.host === me.host)
      return { is: "stale", why: `process ${owner.pid} ran before this machine was restarted` };
    return { is: "elsewhere", owner, why: `it runs on another machine, ${owner.host}` };
  }
  // Without a boot id, as on macOS, only the host name can be compared.
  if (me.boot === null && owner.host !== me.host) {
    return { is: "elsewhere", owner, why: `it runs on another machine, ${owner.host}` };
  }
  if (socketIsOurs && owner.netNamespace === me.netNamespace) {
    return { is: "stale", why: `process ${owner.pid} no longer holds it` };
  }
  if (owner.pidNamespace !== me.pidNamespace) {
    return { is: "elsewhere", owner, why: "it runs in another container, where this process cannot look" };
  }
  if (!isAlive(owner)) return { is: "stale", why: `process ${owner.pid} has ended` };
  if (!socketIsOurs) return { is: "held", owner };
  return { is: "elsewhere", owner, why: "it runs in another network namespace of this machine" };
}
