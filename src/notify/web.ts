// Messages over HTTP: a webhook, and ntfy with its buttons.
import { body, type Channel, headline } from "./channel.ts";

export const webhookChannel = (url: string): Channel => ({
  name: "webhook",
  send: (message, signal) => {
    const { buttons: _, ...said } = message;
    return posted(url, { version: 1, ...said }, {}, signal);
  },
});

export type Ntfy = { readonly url: string; readonly topic: string; readonly token: string | null };

export const ntfyChannel = ({ url, topic, token }: Ntfy): Channel => ({
  name: "ntfy",
  send: (message, signal) => {
    const actions = message.buttons.map((button) => ({
      action: "http",
      method: "POST",
      clear: true,
      label: button.label,
      url: button.url,
      body: button.body,
    }));
    const urgent = message.kind === "waits" ? { priority: 4 } : {};
    const said = { topic, title: headline(message), message: body(message), ...urgent, actions };
    return posted(url, said, authorized(token), signal);
  },
});

const authorized = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

async function posted(url: string, json: object, headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(json),
    signal,
    redirect: "error",
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}.`);
}

/** What was posted to a topic since a message, oldest first. */
export async function readTopic(
  { url, topic, token }: Ntfy,
  since: string,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly text: string }[]> {
  const address = `${url.replace(/\/$/, "")}/${topic}/json?poll=1&since=${encodeURIComponent(since)}`;
  const response = await fetch(address, { headers: authorized(token), signal, redirect: "error" });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}.`);
  const text = (await response.text()).slice(0, 1 << 20);
  return text.split("\n").flatMap((line) => messageIn(line));
}

function messageIn(line: string): { id: string; text: string }[] {
  try {
    const said = JSON.parse(line) as { id?: unknown; event?: unknown; message?: unknown } | null;
    if (said?.event !== "message" || typeof said.id !== "string" || typeof said.message !== "string") return [];
    return [{ id: said.id, text: said.message.trim() }];
  } catch {
    return [];
  }
}
