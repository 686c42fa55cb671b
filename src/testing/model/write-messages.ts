// Writes a step as an answer of the Anthropic Messages API: the whole body, and the same as stream events.
import { type Answer, chunks, newId, type WireEvent } from "./answer.ts";
import type { Step, StepUsage } from "./step.ts";

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

export function writeMessages(step: Step, used: StepUsage, model: string): Answer {
  const content = blocksOf(step);
  const usage = {
    input_tokens: used.input,
    cache_creation_input_tokens: used.cacheWrite,
    cache_read_input_tokens: used.cacheRead,
    output_tokens: used.output,
    service_tier: "standard",
  };
  const stop_reason = step.stop ?? (step.tools?.length ? "tool_use" : "end_turn");
  const body = { id: newId("msg"), type: "message", role: "assistant", model, content, stop_reason, usage };
  const started = {
    ...body,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const events = [
    event("message_start", { message: started }),
    ...content.flatMap(blockEvents),
    event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage }),
    event("message_stop", {}),
  ];
  return { body: { ...body, stop_sequence: null }, events };
}

function blocksOf(step: Step): Block[] {
  const content: Block[] = [];
  if (step.thinking) content.push({ type: "thinking", thinking: step.thinking, signature: "c2lnbmF0dXJl" });
  if (step.text) content.push({ type: "text", text: step.text });
  for (const { name, input } of step.tools ?? []) content.push({ type: "tool_use", id: newId("toolu"), name, input });
  return content;
}

function blockEvents(block: Block, index: number): WireEvent[] {
  const [content_block, deltas] = opened(block);
  return [
    event("content_block_start", { index, content_block }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

function opened(block: Block): [start: unknown, deltas: unknown[]] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: "" }, chunks(block.text).map((text) => ({ type: "text_delta", text }))];
    case "thinking": {
      const deltas = chunks(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
      const signed = { type: "signature_delta", signature: block.signature };
      return [{ type: "thinking", thinking: "", signature: "" }, [...deltas, signed]];
    }
    case "tool_use": {
      const pieces = chunks(JSON.stringify(block.input), 200);
      return [{ ...block, input: {} }, pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }))];
    }
  }
}

const event = (name: string, data: object): WireEvent => ({ name, data: { type: name, ...data } });
