// Settings as codex takes them on its command line: a key and a TOML value.

export const setting = (key: string, value: string): readonly string[] => ["-c", `${key}=${toml(value)}`];

// A JSON string is a TOML basic string, but for the one character that TOML wants escaped and JSON does not.
export const toml = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
