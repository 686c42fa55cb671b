// A statement that leaves a function at once and compiles, based on the result type in its header.

export type Header = {
  /** The text before the name, and between parameters and body. */
  readonly header: readonly string[];
  readonly suffix: readonly string[];
  /** A generator cannot return a value in some languages. */
  readonly yields: boolean;
};

const modifiers = new Set(
  "public private protected internal static final abstract synchronized native default virtual override async unsafe inline extern constexpr explicit friend sealed partial readonly new open suspend operator infix fun func function mutating noexcept const volatile signed unsigned".split(
    " ",
  ),
);
const javaNumbers = /^(?:byte|short|int|long|float|double|char)$/;
const cNumbers = /^(?:char|short|int|long|float|double|bool|_Bool|unsigned|signed|\w+_t)$/;
const integers = /^U?Int(?:8|16|32|64)?$|^(?:Long|Short|Byte)$/;

/** Null: it is unknown what could be returned. */
export function earlyReturn(extension: string, of: Header): string | null {
  switch (extension) {
    case "java":
      return javaReturn(of);
    case "c":
    case "h":
      return cReturn(of);
    case "cc":
    case "cpp":
    case "cxx":
    case "hpp":
    case "hh":
      return cppReturn(of);
    case "cs":
      return csharpReturn(of);
    case "php":
      return /^: (?:void|never)$/.test(of.suffix.join(" ")) ? "if (true) return;" : "if (true) return null;";
    case "kt":
    case "kts":
      return kotlinReturn(typeBehind(of.suffix, ":"));
    case "swift":
      return swiftReturn(typeBehind(of.suffix, "->"));
    default:
      return null;
  }
}

/** The type before the name, without modifiers and annotations; empty for a constructor. */
function typeBefore({ header }: Header): readonly string[] {
  return header.filter((text) => !modifiers.has(text) && !text.startsWith("@") && text !== "<" && text !== ">");
}

function javaReturn(of: Header): string | null {
  const type = typeBefore(of).at(-1);
  if (type === undefined) return null;
  if (type === "void") return "if (true) return;";
  if (type === "boolean") return "if (true) return false;";
  return javaNumbers.test(type) ? "if (true) return 0;" : "if (true) return null;";
}

function cReturn({ header }: Header): string | null {
  const last = header.at(-1) ?? "";
  if (last === "void") return "if (1) return;";
  return last === "*" || cNumbers.test(last) ? "if (1) return 0;" : null;
}

function cppReturn(of: Header): string | null {
  const type = typeBefore(of);
  // After a constructor's parameters, a colon begins the list of its fields.
  if (type.length === 0 || type.includes("~") || type.includes("&") || type.includes("auto") || of.suffix.includes(":"))
    return null;
  // `Cart::Cart(…)` is a constructor, and `int Cart::total(…)` has its type further to the left.
  const own = type.at(-1) === "::" ? type.slice(0, -2) : type;
  if (own.length === 0) return null;
  return own.at(-1) === "void" ? "if (true) return;" : "if (true) return {};";
}

function csharpReturn(of: Header): string | null {
  const type = typeBefore(of);
  if (type.length === 0 || of.yields) return null;
  const nothing =
    type.at(-1) === "void" ||
    (of.header.includes("async") && /^(?:Task|ValueTask)$/.test(type.at(-1) ?? "") && of.header.at(-1) !== ">");
  return nothing ? "if (true) return;" : "if (true) return default;";
}

function typeBehind(suffix: readonly string[], mark: string): readonly string[] {
  const at = suffix.indexOf(mark);
  return at < 0 ? [] : suffix.slice(at + 1);
}

function kotlinReturn(type: readonly string[]): string {
  const name = type[0] ?? "Unit";
  if (name === "Unit") return "if (true) return;";
  if (type.at(-1) === "?") return "if (true) return null;";
  if (integers.test(name)) return "if (true) return 0;";
  if (name === "Boolean") return "if (true) return false;";
  if (name === "String") return 'if (true) return "";';
  return 'if (true) TODO("emptied");';
}

function swiftReturn(type: readonly string[]): string {
  const name = type[0] ?? "Void";
  if (name === "Void" || type.join("") === "()") return "if true { return };";
  if (type.at(-1) === "?") return "if true { return nil };";
  if (integers.test(name) || /^(?:Double|Float)$/.test(name)) return "if true { return 0 };";
  if (name === "Bool") return "if true { return false };";
  if (name === "String") return 'if true { return "" };';
  if (name === "[") return `if true { return ${type.includes(":") ? "[:]" : "[]"} };`;
  return 'if true { fatalError("emptied") };';
}
