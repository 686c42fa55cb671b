// Settings for codex's command line: a key and a TOML value.

export const setting = (key: string, value: string): readonly string[] => ["-c", `${key}=${toml(value)}`];

// A JSON string is a TOML basic string, except for one character that TOML requires to be escaped.
export const toml = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
