// Small things to do with words.

export function shout(text) {
  return `${text.toUpperCase()}!`;
}
