// The result of a diagnosis as keys of loop.yaml, and how they get there.
import { join } from "node:path";
import { addToLoopYaml, type CheckoutKeys } from "../../formats/config/loop-yaml-edit.ts";
import { readIfExists } from "../../host/disk.ts";
import { type Addition, withAdditions } from "../../proof/diagnose/addition.ts";
import { loadSettings } from "../config/settings.ts";
import { trust, untrusted } from "../config/trust.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";

/** Null: there is nothing to add. Lists are complete, since a list in the workspace's file replaces the user's own. */
export function checkoutKeys(root: string, additions: readonly Addition[]): CheckoutKeys | null {
  if (additions.length === 0) return null;
  const { room, build } = withAdditions(loadSettings(root, {}, true).proof, additions);
  const isAdded = (is: Addition["is"]): boolean => additions.some((one) => one.is === is);
  const lists = {
    ...(isAdded("file") ? { files: room.files.map((path) => path.replace(/\/+$/, "")) } : {}),
    ...(isAdded("env") ? { env: [...room.env] } : {}),
    ...(isAdded("home") ? { home: room.home.map((path) => path.replace(/\/+$/, "")) } : {}),
    ...(isAdded("outside") ? { outside: [...room.outside] } : {}),
  };
  return {
    ...(isAdded("build") && build !== null ? { build } : {}),
    ...(Object.keys(lists).length > 0 ? { room: lists } : {}),
  };
}

export function addCheckoutKeys(root: string, keys: CheckoutKeys): void {
  const isAgreed = untrusted(root) === null;
  workspaceDisk(root).write("loop.yaml", addToLoopYaml(readIfExists(join(root, "loop.yaml")), keys));
  // The person has just said yes to these keys.
  if (isAgreed) trust(root);
}
