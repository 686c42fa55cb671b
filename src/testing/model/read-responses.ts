// Reads a request of the OpenAI Responses API.
import { type Json, objects, string, textOf } from "./json.ts";
import type { Conversation } from "./step.ts";

export function readResponses(body: Json): Conversation {
  const input = body["input"];
  const items = typeof input === "string" ? [{ role: "user", content: input }] : objects(input);
  const prompts: string[] = [];
  const toolResults: Conversation["toolResults"][number][] = [];
  let rounds = 0;
  let afterOutput = false;
  for (const item of items) {
    const isOutput = string(item["type"]).endsWith("_call_output");
    if (isOutput) {
      // Parallel calls have one result item each, and form one round.
      if (!afterOutput) rounds += 1;
      toolResults.push({ id: string(item["call_id"]), text: textOf(item["output"]), isError: false });
    }
    afterOutput = isOutput;
    if (item["role"] !== "user") continue;
    rounds = 0;
    prompts.push(textOf(item["content"]));
  }
  const tools = objects(body["tools"]).map((tool) => string(tool["name"]) || string(tool["type"]));
  const tail = textOf(items.at(-1)?.["content"]);
  return { system: string(body["instructions"]), tools, prompts, rounds, toolResults, tail };
}
