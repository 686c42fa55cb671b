// Writes a step as an answer of the OpenAI Responses API: the whole body, and the same as stream events.
import { type Answer, chunks, newId, type WireEvent } from "./answer.ts";
import { estimateTokens, type Step, type StepUsage, type ToolCall } from "./step.ts";

type Item = { type: string; id: string } & Record<string, unknown>;

export function writeResponses(step: Step, used: StepUsage, model: string): Answer {
  const output = itemsOf(step);
  const cut = step.stop === "max_tokens";
  const base = { id: newId("resp"), object: "response", created_at: 1_700_000_000, model, error: null };
  const body = {
    ...base,
    status: cut ? "incomplete" : "completed",
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    output,
    usage: usageOf(step, used),
  };
  const started = { ...base, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const events = [
    event("response.created", { response: started }),
    ...output.flatMap((item, index) => itemEvents(item, index, step.text ?? "")),
    event(cut ? "response.incomplete" : "response.completed", { response: body }),
  ];
  return {
    body,
    events: events.map(({ name, data }, sequence_number) => ({ name, data: { ...data, sequence_number } })),
  };
}

function itemsOf(step: Step): Item[] {
  const items: Item[] = [];
  if (step.thinking) {
    const summary = [{ type: "summary_text", text: step.thinking }];
    items.push({ type: "reasoning", id: newId("rs"), summary, encrypted_content: null });
  }
  if (step.text) {
    const content = [{ type: "output_text", text: step.text, annotations: [] }];
    items.push({ type: "message", id: newId("msg"), role: "assistant", status: "completed", content });
  }
  return [...items, ...(step.tools ?? []).map(callOf)];
}

function callOf({ name, input }: ToolCall): Item {
  const call = { call_id: newId("call"), name, status: "completed" };
  if (typeof input === "string") return { type: "custom_tool_call", id: newId("ctc"), ...call, input };
  return { type: "function_call", id: newId("fc"), ...call, arguments: JSON.stringify(input) };
}

// This API includes cached tokens in the input tokens.
function usageOf(step: Step, used: StepUsage): Record<string, unknown> {
  const input_tokens = used.input + used.cacheRead + used.cacheWrite;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: used.cacheRead },
    output_tokens: used.output,
    output_tokens_details: { reasoning_tokens: step.thinking ? estimateTokens(step.thinking) : 0 },
    total_tokens: input_tokens + used.output,
  };
}

function itemEvents(item: Item, output_index: number, text: string): WireEvent[] {
  const isMessage = item.type === "message";
  const added = event("response.output_item.added", {
    output_index,
    item: isMessage ? { ...item, content: [] } : item,
  });
  const where = { item_id: item.id, output_index, content_index: 0 };
  const deltas = isMessage ? chunks(text).map((delta) => event("response.output_text.delta", { ...where, delta })) : [];
  return [added, ...deltas, event("response.output_item.done", { output_index, item })];
}

const event = (name: string, data: object): WireEvent => ({ name, data: { type: name, ...data } });
