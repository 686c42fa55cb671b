// loop notify --test: sends a message every way that is configured, and says which got through.
import { basename } from "node:path";
import { UserError } from "../../core/errors.ts";
import { channelsOf, type Sent, sendAll } from "../../notify/channels.ts";
import { loadSettings } from "../../project/config/settings.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { settleTrust } from "../trust.ts";

export async function notify(flags: GlobalFlags & { test?: boolean }): Promise<number> {
  const context = contextOf(flags);
  const { root, json, answer, paint } = context;
  if (flags.test !== true) throw noTest();
  await settleTrust(context, flags);
  const { notify: settings } = loadSettings(root, {}, true);
  const message = {
    kind: "test" as const,
    title: "a test",
    text: "You will be told like this when a run waits for you, ends, or comes near a cap.",
    next: "",
    project: basename(root),
    run: "",
    buttons: [],
  };
  const sent = await sendAll(channelsOf(settings, root, null), message);
  const isWell = sent.every(({ problem }) => problem === null);
  const line = ({ name, problem }: Sent): string =>
    problem === null ? `${paint.green("✓")} ${name}\n` : `${paint.red("✗")} ${name}: ${problem}\n`;
  const { bell, title } = settings;
  if (json) printAnswer(answers.notify, { terminal: { bell, title }, sent }, isWell ? 0 : 1);
  else answer(sent.length === 0 ? onlyTerminal : sent.map(line).join(""));
  return isWell ? 0 : 1;
}

const onlyTerminal = `Only the terminal's bell and title are used. Other ways, in loop.yaml or ~/.config/loopwright/loop.yaml:
notify:
  desktop: true
  ntfy: { topic: a-long-random-name, answers: true }
  webhook: https://example.com/hook
  command: [my-program, --loud]
`;

const noTest = (): UserError =>
  new UserError("bad-flag", {
    what: "Nothing was sent.",
    why: "The command needs --test.",
    next: "loop notify --test",
  });
