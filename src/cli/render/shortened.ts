// A text that is cut says so. By characters, so that none is cut in half.
export const shortened = (text: string, max: number): string => {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};
