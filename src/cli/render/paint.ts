// Colours, if the reader can see them.
import { styleText } from "node:util";

type Style = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";
export type Paint = Record<Style, (text: string) => string>;

const styles: readonly Style[] = ["green", "red", "yellow", "cyan", "dim", "bold"];

export function painter(coloured: boolean): Paint {
  const make = (style: Style) => (text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(styles.map((style) => [style, make(style)])) as Paint;
}
