// memory.json: what earlier runs in a workspace learned. Small, bounded, and never a reason to refuse a run.
import { z } from "zod";
import { parseJsonText } from "../text/json-text.ts";

export const memoryKinds = ["check", "flaky", "cause", "together", "learned"] as const;
export type MemoryKind = (typeof memoryKinds)[number];
export type MemoryEntry = {
  /** Entries with the same key are the same lesson learned twice. */
  readonly key: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** In how many runs it was seen, and the last one. */
  readonly seen: number;
  readonly lastAt: number;
  readonly run: string;
};
export type Memory = {
  readonly entries: readonly MemoryEntry[];
  /** Keys that a person asked us to forget: they are not learned again. */
  readonly forgotten: readonly string[];
};
export const emptyMemory: Memory = { entries: [], forgotten: [] };

export const entriesMax = 40;
export const textMax = 300;
export const keyMax = 200;
const forgottenMax = 200;
const bytesMax = 256 * 1024;

const entry = z.object({
  key: z.string().min(1).max(keyMax),
  kind: z.enum(memoryKinds),
  text: z.string().min(1).max(textMax),
  seen: z.int().min(1),
  lastAt: z.number(),
  run: z.string().max(100),
});
const file = z.object({
  version: z.literal(1),
  entries: z.array(entry).max(entriesMax),
  forgotten: z.array(z.string().max(keyMax)).max(forgottenMax),
});

export function parseMemory(text: string): Memory | { problem: string } {
  const json = parseJsonText(text, { bytes: bytesMax, depth: 10 });
  if (!json.ok) return { problem: json.says };
  const parsed = file.safeParse(json.value);
  if (parsed.success) return { entries: parsed.data.entries, forgotten: parsed.data.forgotten };
  return { problem: z.prettifyError(parsed.error).split("\n", 1)[0] ?? "it is something else" };
}

export const memoryJson = ({ entries, forgotten }: Memory): string =>
  `${JSON.stringify({ version: 1, entries, forgotten: forgotten.slice(-forgottenMax) }, null, 2)}\n`;
