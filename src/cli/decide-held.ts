// Held work, decided on the spot: a key shows old and new, a key decides. The decision is recorded, and nothing starts.
import { UserError } from "../core/errors.ts";
import { heldIn } from "../engines/held-work.ts";
import type { Waiting } from "../engines/waiting.ts";
import { heldBranch } from "../report/words/held-branch.ts";
import { diffOf, heldDiff } from "../runtime/held-diff.ts";
import { ask, choose } from "./ask.ts";
import { decide } from "./commands/answer-gate.ts";
import type { Context, GlobalFlags } from "./context.ts";
import { columnsOf } from "./render/columns.ts";
import type { Paint } from "./render/paint.ts";
import { sideBySide, sideBySideFrom } from "./render/side-by-side.ts";

const words: Partial<Readonly<Record<Waiting["kind"], "accept" | "allow">>> = {
  unproved: "accept",
  contradiction: "allow",
  permission: "allow",
};

/** One after the other. Ctrl-C leaves the rest for later. */
export async function decideHeld(waiting: readonly Waiting[], context: Context, flags: GlobalFlags): Promise<void> {
  try {
    for (const item of waiting) {
      const how = words[item.kind];
      if (how !== undefined) await decideOne(item, how, context, flags);
    }
  } catch (error) {
    if (!(error instanceof UserError && error.code === "not-answered")) throw error;
  }
}

async function decideOne(item: Waiting, how: "accept" | "allow", context: Context, flags: GlobalFlags): Promise<void> {
  const { about, runId } = item;
  const name = how === "accept" ? "[a]ccept" : "[a]llow";
  const question = () => ({
    text: `\n${about}:`,
    choices: [columnsFor(context) === null ? "[d]iff" : "[d] old beside new", name, "[r]eject", "[l]ater"],
    otherwise: "l",
  });
  const order = { ...flags, run: runId, continue: false };
  for (;;) {
    switch (await choose(question(), later)) {
      case "d":
        context.verbatim(await shownDiff(item, context));
        break;
      case "a":
        return void (await decide(about, { how }, order));
      case "r": {
        const why = "Why? It is what the next attempt works from; without a reason there is none.";
        const [reason = ""] = await ask([{ text: why, otherwise: "" }], later);
        return void (await decide(about, { how: "reject", reason }, order));
      }
      default:
        return;
    }
  }
}

const later = { what: "Nothing was decided.", why: "The question was not answered.", next: "loop inbox" };

/** What is in question; all of the work where no file is named. */
async function shownDiff({ run, runId, about }: Waiting, context: Context): Promise<string> {
  const { engine, paint } = context;
  const diff = await (await engine.read(runId)).file(heldDiff(about));
  const held = heldIn(run, about);
  if (diff === null) return `The diff is not kept. See: git show ${heldBranch(held ?? {}, about)}\n`;
  const files = held?.files ?? [];
  const part = (files.length === 0 ? null : diffOf(diff, files)) ?? diff.trimEnd();
  const columns = columnsFor(context);
  if (columns !== null) return `${sideBySide(part, columns, paint)}\n`;
  return `${part
    .split("\n")
    .map((line) => coloured(line, paint))
    .join("\n")}\n`;
}

/** Null: no room for two columns, or a reader that reads line by line. */
function columnsFor({ plain }: Context): number | null {
  const columns = columnsOf(process.stdout) ?? 0;
  return plain || columns < sideBySideFrom ? null : columns;
}

function coloured(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint.bold(line);
  return line.startsWith("-") ? paint.red(line) : line.startsWith("+") ? paint.green(line) : line;
}
