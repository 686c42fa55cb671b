// Whether deliveries can reach a trigger. A sender cannot tell a missing secret from a wrong signature, so the page and
// the server's terminal name it.
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { secretMin } from "./signature.ts";

/** `hooksAt`: where deliveries are taken; null: nowhere, or not yet. */
export type Ears = {
  readonly env: NodeJS.ProcessEnv;
  readonly hasPort: boolean;
  readonly hooksAt: () => string | null;
};

/** Why none can; null: they can, or it waits for none. */
export function deafness({ webhook }: TriggerSettings, { env, hasPort }: Omit<Ears, "hooksAt">): string | null {
  if (webhook === null) return null;
  const { secretEnv } = webhook;
  const secret = env[secretEnv] ?? "";
  if (!hasPort) return "It takes no deliveries: loop serve needs --hooks-port N.";
  if (secret === "") return `It takes no deliveries: ${secretEnv} is not set where loop serve was started.`;
  if (secret.length < secretMin) return `It takes no deliveries: ${secretEnv} is shorter than ${secretMin} characters.`;
  return null;
}

/** Where its deliveries go; null: it takes none. */
export function hookAddress(workspace: string, trigger: TriggerSettings, ears: Ears): string | null {
  const base = ears.hooksAt();
  if (trigger.webhook === null || base === null || deafness(trigger, ears) !== null) return null;
  return `${base}/${workspace}/${trigger.name}`;
}
