// The channels that are configured, and sending to all of them. Nothing here throws.
import type { NotifySettings } from "../formats/config/settings.ts";
import type { Channel, Message } from "./channel.ts";
import type { Prints } from "./named-files.ts";
import { commandChannel, desktopChannel } from "./program.ts";
import { type Ntfy, ntfyChannel, webhookChannel } from "./web.ts";

const patienceMs = 5000;

/** `root`: the person's folder. `before`: the files there that the command names, as they were when the run began. */
export function channelsOf(settings: NotifySettings, root: string, before: Prints | null): Channel[] {
  const { desktop, command, webhook } = settings;
  const ntfy = ntfyOf(settings);
  return [
    ...(desktop ? [desktopChannel(process.platform)] : []),
    ...(command === null ? [] : [commandChannel(command, root, before)]),
    ...(webhook === null ? [] : [webhookChannel(webhook)]),
    ...(ntfy === null ? [] : [ntfyChannel(ntfy)]),
  ];
}

/** Every way in which a person is told, by its key under `notify`. */
export function waysOf(settings: NotifySettings): string[] {
  const { bell, title, desktop, command, webhook, ntfy } = settings;
  const ways = { bell, title, desktop, command, webhook, ntfy };
  return Object.entries(ways).flatMap(([name, way]) => (way === false || way === null ? [] : [name]));
}

export function ntfyOf({ ntfy }: NotifySettings): Ntfy | null {
  if (ntfy === null) return null;
  const { url, topic, tokenEnv } = ntfy;
  return { url, topic, token: tokenEnv === null ? null : (process.env[tokenEnv] ?? null) };
}

export type Sent = { readonly name: string /** Null: it got through. */; readonly problem: string | null };

export function sendAll(channels: readonly Channel[], message: Message): Promise<Sent[]> {
  return Promise.all(
    channels.map(async (channel): Promise<Sent> => {
      try {
        await channel.send(message, AbortSignal.timeout(patienceMs));
        return { name: channel.name, problem: null };
      } catch (error) {
        return { name: channel.name, problem: problemOf(error) };
      }
    }),
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return `There was no answer within ${patienceMs / 1000} s.`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.slice(0, 300);
}
