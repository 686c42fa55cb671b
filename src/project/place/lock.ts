// Only one run at a time works in a folder, on this machine and on others that share its disk.
import { dirname, join } from "node:path";
import { acquireLock, type Lock } from "../../host/lock/lock.ts";
import { lockKey } from "../../workspace/git/repository/repo.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

export function lockWorkspace(root: string, about: string, steal = false): Promise<Lock> {
  return acquireLock({ dir: locksDir(root), key: lockKey(root), about, steal });
}
export const locksDir = (root: string): string => join(dirname(vaultDirFor(root)), "locks");
