// Finds the reply in an agent's last message, for agents without a reply schema.
import { isObject, type Json, parsed } from "../cli/json.ts";

const searchedCharsMax = 256 << 10;
const triesMax = 200;

/** The text as a JSON object, or the last object in it; null when there is none. */
export function replyInText(text: string): Json | null {
  const searched = text.slice(-searchedCharsMax).trim();
  return asObject(searched) ?? lastFenced(searched) ?? lastOpen(searched);
}

function lastFenced(text: string): Json | null {
  const blocks = [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/g)];
  return firstOf(blocks.reverse().map(([, body = ""]) => body.trim()));
}

/** The outermost object that ends at the last brace, if it starts a line or follows a space. */
function lastOpen(text: string): Json | null {
  const end = text.lastIndexOf("}") + 1;
  const starts = [...text.slice(0, end).matchAll(/(?<=^|\s)\{/g)].slice(-triesMax);
  return firstOf(starts.map(({ index }) => text.slice(index, end)));
}

function firstOf(candidates: readonly string[]): Json | null {
  for (const candidate of candidates) {
    const found = asObject(candidate);
    if (found !== null) return found;
  }
  return null;
}

function asObject(text: string): Json | null {
  const value = text.startsWith("{") ? parsed(text) : null;
  return isObject(value) ? value : null;
}
