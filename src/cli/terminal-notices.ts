// The terminal's own ways to be noticed: its bell and its title.
import type { NotifySettings } from "../formats/config/settings.ts";
import { visibleLine } from "../formats/text/visible-text.ts";
import { loadSettings } from "../project/config/settings.ts";

export type Attract = Pick<NotifySettings, "bell" | "title">;

/** As loop.yaml says. If it cannot be read, the run says so in its own words. */
export function terminalNotices(root: string): Attract {
  try {
    return loadSettings(root, {}, true).notify;
  } catch {
    return { bell: true, title: true };
  }
}

export const bell = "\u0007";
/** The terminal remembers the title that it had, if it can. */
export const keepTitle = "\u001b[22;2t";
export const giveTitleBack = "\u001b[23;2t";
export const titleOf = (text: string): string => `\u001b]2;${visibleLine(text).slice(0, 100)}\u0007`;
