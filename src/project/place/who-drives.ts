// Who drives a run in this workspace now, if anyone.
import { type Holder, whoHolds } from "../../host/lock/lock.ts";
import { lockKey } from "../../workspace/git/repository/repo.ts";
import { locksDir } from "./lock.ts";

export function whoDrives(root: string): Promise<Holder | null> {
  return whoHolds({ dir: locksDir(root), key: lockKey(root) });
}
