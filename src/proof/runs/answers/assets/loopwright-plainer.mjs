// Ways to make an input plainer: each takes away one trait that the calls of the feature have and old calls do not. If an answer
// that changed is the old one again without the trait, the trait is what changed it.

const kindsMax = 12;

/** A change of all texts, numbers, lists and tables in a value. */
function mapped(value, way) {
  const inner = (each) => mapped(each, way);
  if (typeof value === "string") return way.text?.(value) ?? value;
  if (typeof value === "number") return way.number?.(value) ?? value;
  if (Array.isArray(value)) return (way.list?.(value) ?? value).map(inner);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value)?.constructor?.name !== "Object")
    return value;
  const keys = Object.keys(value).filter((key) => !way.drops?.(key));
  return Object.fromEntries(keys.map((key) => [key, inner(value[key])]));
}

function partsOf(value, found = { texts: [], numbers: [], keys: [], lengths: [] }) {
  mapped(value, {
    text: (text) => void found.texts.push(text),
    number: (number) => void found.numbers.push(number),
    list: (list) => void found.lengths.push(list.length),
    drops: (key) => void found.keys.push(key),
  });
  return found;
}

/** Letters of other languages are one kind, digits are one, and every sign is its own. */
function kindOf(char) {
  if (/[0-9]/.test(char)) return "a digit";
  if (char.codePointAt(0) < 128) return char.toLowerCase();
  return /\p{L}|\p{M}/u.test(char) ? "a letter" : /\p{N}/u.test(char) ? "another digit" : "another sign";
}

const without = (kinds) => ({ text: (text) => [...text].filter((char) => !kinds.has(kindOf(char))).join("") });

/** `old` and `asked`: arguments of old calls, and of those that the feature and its tests make. */
export function plainerWays(old, asked) {
  const [had, has] = [partsOf(old), partsOf(asked)];
  const kindsOf = ({ texts }) => new Set(texts.flatMap((text) => [...text].map(kindOf)));
  const known = kindsOf(had);
  const kinds = [...kindsOf(has)].filter((kind) => !known.has(kind)).slice(0, kindsMax);
  const keys = [...new Set(has.keys)].filter((key) => !had.keys.includes(key)).slice(0, kindsMax);
  const longest = Math.max(0, ...had.texts.map((text) => text.length));
  const most = Math.max(0, ...had.lengths);
  const [least, largest] = [Math.min(...had.numbers), Math.max(...had.numbers)];
  return [
    ...kinds.map((kind) => without(new Set([kind]))),
    ...(kinds.length > 1 ? [without(new Set(kinds))] : []),
    ...keys.map((key) => ({ drops: (each) => each === key })),
    { text: (text) => text.toLowerCase() },
    { text: (text) => text.trim() },
    { text: (text) => text.replace(/(.)\1+/gsu, "$1") },
    { list: (list) => [...new Set(list)] },
    { number: Math.abs },
    { number: Math.trunc },
    ...(longest > 0 ? [{ text: (text) => text.slice(0, longest) }] : []),
    ...(most > 0 ? [{ list: (list) => list.slice(0, most) }] : []),
    ...(had.numbers.length > 0
      ? [{ number: (number) => Math.min(number, largest) }, { number: (number) => Math.max(number, least) }]
      : []),
  ].map((way) => (value) => mapped(value, way));
}
