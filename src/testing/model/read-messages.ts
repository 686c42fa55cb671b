// Reads a request of the Anthropic Messages API.
import { type Json, objects, string, textOf } from "./json.ts";
import type { Conversation } from "./step.ts";

export function readMessages(body: Json): Conversation {
  const messages = objects(body["messages"]);
  const prompts: string[] = [];
  const toolResults: Conversation["toolResults"][number][] = [];
  let rounds = 0;
  for (const message of messages) {
    if (message["role"] !== "user") continue;
    const results = blocks(message).filter((block) => block["type"] === "tool_result");
    if (results.length > 0) rounds += 1;
    toolResults.push(...results.map(readResult));
    // A prompt may share its message with tool results (a resume after an interruption), and reminders are not prompts.
    const said = blocks(message).filter(isSaid).map(textOf).join("\n");
    if (said === "") continue;
    rounds = 0;
    prompts.push(said);
  }
  const tools = objects(body["tools"]).map((tool) => string(tool["name"]));
  const tail = textOf(messages.at(-1)?.["content"]);
  return { system: textOf(body["system"]), tools, prompts, rounds, toolResults, tail };
}

function blocks(message: Json): readonly Json[] {
  const content = message["content"];
  return typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
}

const isSaid = (block: Json): boolean =>
  block["type"] === "text" && !/^\s*<system-reminder>/.test(string(block["text"])) && string(block["text"]) !== "";

function readResult(block: Json): Conversation["toolResults"][number] {
  return { id: string(block["tool_use_id"]), text: textOf(block["content"]), isError: block["is_error"] === true };
}
