// A signal that a process left for the one that drives the run. Anyone may have written it: every field is checked.
import { z } from "zod";
import { keptFile } from "./kept-file.ts";
import { hash } from "./parts.ts";

const text = z.string();
const id = z.string().min(1).max(64);
const gate = { gate: z.enum(["G1", "G2", "G3"]), number: z.number(), tree: hash };
const held = { feature: id, tree: hash, by: text };
const type = <Name extends string>(name: Name) => z.literal(name);

export const signalFile = keptFile(
  "signals/*.json",
  null,
  z.discriminatedUnion("type", [
    z.strictObject({ type: type("begun"), task: id, run: id, contract: text, version: text }),
    z.strictObject({ type: type("noted"), about: text, text }),
    z.strictObject({ type: type("pause-requested"), by: z.enum(["person", "interrupt", "terminate"]) }),
    z.strictObject({ type: type("cancel-requested"), undo: z.literal(true).optional() }),
    z.strictObject({
      type: type("continued"),
      limits: z.record(z.string(), z.number().nullable()),
      retry: z.boolean(),
      crew: z.literal("new").optional(),
    }),
    z.strictObject({
      type: type("answered"),
      feature: id.nullable(),
      question: text.optional(),
      answer: text,
      source: z.enum(["person", "supposition"]),
    }),
    z.strictObject({ type: type("approved"), ...gate, always: z.literal(true).optional() }),
    z.strictObject({ type: type("rejected"), ...gate, reason: text }),
    z.strictObject({ type: type("accepted"), ...held }),
    z.strictObject({ type: type("allowed"), ...held }),
    z.strictObject({ type: type("turned-down"), ...held, reason: text }),
    z.strictObject({ type: type("amended"), mode: z.enum(["replace", "append"]), text, request: text }),
  ]),
);
