// Text that has to fit in a place: cut at a nearby word boundary and never inside a character. A text that is cut says so.
const characters = new Intl.Segmenter("en");

/** At most `max` UTF-16 units, the ellipsis included. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  let head = "";
  for (const { segment } of characters.segment(text.slice(0, max))) {
    if (head.length + segment.length > max - 1) break;
    head += segment;
  }
  const space = head.lastIndexOf(" ");
  const whole = space > max / 2 && text[head.length] !== " " ? head.slice(0, space) : head;
  // A single "character" with hundreds of accents is cut after all, but not through a surrogate pair.
  return `${whole.trimEnd() || text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The same for text of any shape, as one line. */
export const shortLine = (text: string, max: number): string => shortened(text.replace(/\s+/g, " ").trim(), max);
