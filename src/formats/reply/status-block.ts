// The block in which an agent that cannot write a reply file reports its status. Linear time for any text.

export type StatusBlock = {
  form: "status" | "control";
  body: string;
  /** Its JSON, or its `KEY: value` lines with lower-case keys. Null when it is neither. */
  value: Readonly<Record<string, unknown>> | null;
};

const forms = [
  { form: "status", open: "---LOOP_STATUS---", close: "---END_STATUS---" },
  { form: "control", open: "<loop-control>", close: "</loop-control>" },
] as const;
// A reply is small. Anything larger is not a reply, and not worth the memory.
const bodyMax = 1024 * 1024;
const linesMax = 1000;

/** The last complete block in the text: an agent may repeat its instructions first. */
export function findStatusBlock(text: string): StatusBlock | null {
  const found = forms.flatMap(({ form, open, close }) => {
    // Plain searches from the end: a pattern with a gap would try every opening against every closing.
    const lastClose = text.lastIndexOf(close);
    const start = lastClose < 0 ? -1 : text.lastIndexOf(open, lastClose - open.length);
    if (start < 0 || lastClose < open.length) return [];
    const end = text.indexOf(close, start + open.length);
    return [{ form, start, body: text.slice(start + open.length, end) }];
  });
  const last = found.sort((a, b) => b.start - a.start)[0];
  if (last === undefined || last.body.length > bodyMax) return null;
  const body = last.body.trim();
  return { form: last.form, body, value: objectOf(body) ?? linesOf(body) };
}

function objectOf(body: string): Record<string, unknown> | null {
  if (!body.startsWith("{")) return null;
  const value = json(body);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

function linesOf(body: string): Record<string, unknown> | null {
  const entries = body.split("\n", linesMax).flatMap((line) => {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(0, colon)).trim();
    return /^[A-Z][A-Z_]{0,40}$/.test(key)
      ? [[key.toLowerCase(), readValue(line.slice(colon + 1).trim())] as const]
      : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function readValue(text: string): unknown {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^[{[]/.test(text) ? (json(text) ?? text) : text;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
