// Tells a person, once, what happens to a run that this process drives; and takes their answers from a topic of their
// ntfy server. A failure here neither stops nor delays the run.
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gateOf } from "../core/gates.ts";
import { treeId } from "../core/ids.ts";
import type { Gate } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import type { NotifySettings } from "../formats/config/settings.ts";
import { notifiedFile } from "../formats/kept/run-files.ts";
import type { Button } from "../notify/channel.ts";
import { channelsOf, ntfyOf, type Sent, sendAll } from "../notify/channels.ts";
import { type Prints, printsOf } from "../notify/named-files.ts";
import { type Ntfy, readTopic } from "../notify/web.ts";
import { type Notice, noticesOf } from "../report/notices.ts";
import type { RunFiles, SignalFact } from "../runtime/ports.ts";

export type NotifierPorts = {
  readonly settings: NotifySettings;
  /** The person's folder, wherever the run works. */
  readonly root: string;
  /** No agent has worked yet. */
  readonly isFresh: boolean;
  readonly run: string;
  readonly files: RunFiles;
  /** Delivers an answer to the run. */
  send(fact: SignalFact): void;
  /** For the run log. */
  failed(sent: Sent): void;
};

const answerMs = 2000;

/** Names one gate, what it showed, and one decision. It is removed when it is used or the gate is passed. */
type Nonce = {
  readonly nonce: string;
  readonly gate: Gate["name"];
  readonly number: number;
  readonly tree: string;
  readonly decision: "approve" | "reject";
};
type Kept = {
  readonly version: 1;
  /** The keys of what was told. */
  readonly told: string[];
  /** Where answers are posted: random, for this run alone. */
  readonly topic: string;
  /** The last message there that was read. */
  readonly since: string;
  /** The files that the command names, as they were when the run began. Missing: they are not known, and do not count. */
  readonly programs?: Prints;
  readonly nonces: Nonce[];
};

export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #closed = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  #kept: Kept;
  #run: Run | null = null;
  #isAsking = false;
  /** Channels that have failed, each reported once. */
  readonly #failed = new Set<string>();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
    this.#kept = read(ports.files) ?? { version: 1, told: [], topic: random(), since: "all", nonces: [] };
    const { isFresh, settings, root } = ports;
    if (isFresh && settings.command !== null) this.#keep({ programs: printsOf(settings.command, root) });
  }

  /** After every event, and when a run is opened again: what was told before is not repeated. */
  look(run: Run): void {
    const { settings, root, run: id, failed } = this.#ports;
    this.#run = run;
    const channels = channelsOf(settings, root, this.#kept.programs ?? {});
    if (channels.length === 0) return;
    const notices = noticesOf(run, new Set(this.#kept.told), Date.now());
    const gate = gateOf(run);
    const nonces = this.#kept.nonces.filter((nonce) => gate !== null && isFor(nonce, gate));
    for (const notice of notices) {
      const buttons = notice.gate === null ? [] : this.#buttonsFor(notice.gate, nonces);
      const { kind, title, text, next } = notice;
      const message = { kind, title, text, next, project: basename(root), run: id, buttons };
      const sending = sendAll(channels, message).then((sent) => {
        for (const each of sent) if (each.problem !== null && !this.#failed.has(each.name)) failed(this.#noted(each));
        this.#sending.delete(sending);
      });
      this.#sending.add(sending);
    }
    // On disk before anything can arrive: after a crash it is rather not told than told twice.
    if (notices.length > 0 || nonces.length !== this.#kept.nonces.length)
      this.#keep({ told: toldWith(this.#kept, notices), nonces });
    if (nonces.length > 0) void this.#askForAnswers();
  }

  /** What is on its way still gets there, or fails within seconds. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#sending);
  }

  #noted(sent: Sent): Sent {
    this.#failed.add(sent.name);
    return sent;
  }

  /** Adds the nonces of the buttons. */
  #buttonsFor(gate: Gate, nonces: Nonce[]): Button[] {
    const { settings } = this.#ports;
    const ntfy = ntfyOf(settings);
    if (ntfy === null || settings.ntfy?.answers !== true) return [];
    return (["approve", "reject"] as const).map((decision) => {
      const nonce = random();
      nonces.push({ nonce, gate: gate.name, number: gate.number, tree: gate.tree, decision });
      const label = decision === "approve" ? "Approve" : "Reject";
      return { label, url: `${ntfy.url.replace(/\/$/, "")}/${this.#kept.topic}`, body: nonce };
    });
  }

  /** Asks the server while the gate is open. */
  async #askForAnswers(): Promise<void> {
    const ntfy = ntfyOf(this.#ports.settings);
    if (this.#isAsking || ntfy === null) return;
    this.#isAsking = true;
    while (this.#kept.nonces.length > 0 && !this.#closed.signal.aborted) {
      await this.#takeAnswers({ ...ntfy, topic: this.#kept.topic }).catch(() => undefined);
      await pause(answerMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    }
    this.#isAsking = false;
  }

  async #takeAnswers(ntfy: Ntfy): Promise<void> {
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(10_000)]);
    for (const { id, text } of await readTopic(ntfy, this.#kept.since, signal)) {
      const used = this.#kept.nonces.find(({ nonce }) => nonce === text);
      const gate = this.#run === null ? null : gateOf(this.#run);
      const isOpen = used !== undefined && gate !== null && isFor(used, gate);
      // The other button of the gate is spent with it.
      this.#keep({ since: id, nonces: isOpen ? [] : this.#kept.nonces });
      if (isOpen) this.#ports.send(factOf(used));
    }
  }

  #keep(changed: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...changed };
    try {
      this.#ports.files.write(notifiedFile.name, `${JSON.stringify(this.#kept, null, 2)}\n`);
    } catch {
      // A full disk stops the run by itself, with its reason.
    }
  }
}

const toldWith = ({ told }: Kept, notices: readonly Notice[]): string[] => [...told, ...notices.map(({ key }) => key)];

const isFor = (nonce: Nonce, { name, number, tree }: Gate): boolean =>
  nonce.gate === name && nonce.number === number && nonce.tree === tree;

function factOf({ gate, number, tree, decision }: Nonce): SignalFact {
  const shown = { gate, number, tree: treeId(tree) };
  return decision === "approve"
    ? { type: "approved", ...shown }
    : { type: "rejected", ...shown, reason: "Rejected by the button of a notification, without a reason." };
}

const random = (): string => `loop-${randomBytes(16).toString("hex")}`;

/** A damaged file is begun again: a person may then be told twice, and their old buttons do nothing. */
function read(files: RunFiles): Kept | null {
  const text = files.read(notifiedFile.name);
  return text === null ? null : notifiedFile.parseIfPossible<Kept>(text);
}
