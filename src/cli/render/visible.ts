// Text from anywhere, made safe for a terminal: control characters are shown as codes, and none is interpreted.

// Also the marks that turn the direction of text around, with which a line can be made to read differently.
const control = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** One line: line breaks and tabs become spaces. */
export const visible = (text: string): string =>
  text.replace(/\r\n|[\t\n]/g, " ").replace(control, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
  });
