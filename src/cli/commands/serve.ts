// loop serve: the server, its workspaces and its tokens.
import { machineTrouble, UserError } from "../../core/errors.ts";
import { offered } from "../../serve/offered.ts";
import { servePlaces } from "../../serve/places.ts";
import { folderAt, type Registered, readRegistry, register, unregister } from "../../serve/registry.ts";
import { type ServeOptions, type Serving, serve as startServing } from "../../serve/serve.ts";
import { addToken } from "../../serve/tokens.ts";
import { configuredIn } from "../../serve/triggers/configured.ts";
import { type Confirmed, changesIn, changeText, confirmable } from "../../serve/triggers/confirmed.ts";
import { deafness } from "../../serve/triggers/deaf.ts";
import { waitsFor } from "../../serve/triggers/routes.ts";
import { choose, dropTyped } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer, printEnd } from "../json/print.ts";
import { settleTrust } from "../trust.ts";

export type ServeFlags = GlobalFlags & {
  port?: string;
  add?: string[];
  yes?: boolean;
  remove?: string[];
  list?: boolean;
  newToken?: string;
  readOnly?: boolean;
  tokenFile?: string;
  host?: string;
  name?: string[];
  tlsCert?: string;
  tlsKey?: string;
  hooksPort?: string;
};

export async function serve(flags: ServeFlags): Promise<number> {
  const context = contextOf(flags);
  const options = optionsOf(flags);
  if (process.env["LOOP_SESSION"] !== undefined)
    throw new UserError("not-for-agents", {
      what: "Nothing is served.",
      why: "This command was started by a session of a run, and serving is a person's decision.",
      next: "Run it in a terminal of your own.",
    });
  const isEdited = [flags.add, flags.remove, flags.list, flags.newToken].some((each) => each !== undefined);
  return isEdited ? edit(flags, context) : run(options, context);
}

async function edit(flags: ServeFlags, context: Context): Promise<number> {
  const places = servePlaces();
  const said: string[] = [];
  let token: string | null = null;
  for (const dir of flags.add ?? []) {
    const root = folderAt(dir);
    // What runs there by itself is agreed to beforehand: later there is no person to ask.
    await settleTrust({ ...context, root }, flags).catch((error: unknown) => {
      throw error instanceof UserError && error.code === "not-trusted" ? notRegistered(root, error) : error;
    });
    const known = readRegistry(places.registry).find((each) => each.root === root);
    const confirmed = confirmable(root);
    if (known !== undefined) await settleChanges(known, confirmed, flags, context);
    said.push(addedText(register(places.registry, root, confirmed)));
  }
  for (const dir of flags.remove ?? [])
    said.push(unregister(places.registry, dir) ? `Removed ${dir}\n` : `${dir} was not registered.\n`);
  if (flags.newToken !== undefined) {
    const may = flags.readOnly === true ? "read" : "write";
    const { secret } = addToken(flags.tokenFile ?? places.tokens, flags.newToken, may);
    token = secret;
    said.push(`${secret}\n`);
    context.comment(`A token for ${flags.newToken}, who may ${may === "read" ? "only read" : "read and answer"}:\n`);
  }
  const all = readRegistry(places.registry);
  const shown = all.map(({ id, root, triggers }) => ({ id, root, triggers }));
  if (context.json) printAnswer(answers.workspaces, { workspaces: shown, ...(token === null ? {} : { token }) }, 0);
  else context.answer(flags.list === true ? all.map(({ id, root }) => `${id}  ${root}\n`).join("") : said.join(""));
  if (flags.list === true && all.length === 0) context.comment("No workspace is registered.\n");
  if (flags.list === true) await offer(all, context);
  return 0;
}

const notRegistered = (root: string, { code, why }: UserError): UserError =>
  new UserError(code, {
    what: `${root} was not registered.`,
    why,
    next: `Read it. If you agree: loop serve --add ${root} --trust`,
  });

async function offer(registered: readonly Registered[], context: Context): Promise<void> {
  for (const root of await offered(registered))
    context.comment(`It has runs, and is not served: loop serve --add ${root}\n`);
}

/** Throws if the person does not confirm what has changed since they did, or cannot be asked. */
async function settleChanges(known: Registered, now: Confirmed, flags: ServeFlags, context: Context): Promise<void> {
  if (now.triggers === null || now.triggers === known.triggers) return;
  const { root } = known;
  const isRecorded = known.settings.length > 0 || known.triggers === null;
  const title = isRecorded
    ? `These settings of ${root} have changed since you confirmed its triggers:`
    : `The settings of ${root} have changed since you confirmed its triggers. What they were was not recorded; now they are:`;
  const text = [title, ...changesIn(known.settings, now.settings).map((each) => `  ${changeText(each, changedMax)}`)];
  const what = `The triggers of ${root} were not confirmed, and do not fire.`;
  const next = `Read what has changed. If you agree: loop serve --add ${root} --yes`;
  if (flags.yes !== true && !canAnswer(context))
    throw new UserError("not-confirmed", { what, why: text.join("\n"), next });
  context.comment(`${text.join("\n")}\n`);
  if (flags.yes === true) return;
  await dropTyped();
  const question = { text: "Confirm?", otherwise: "", choices: ["[y]es", "[n]o"] };
  const said = await choose(question, { what, why: "The question was not answered.", next });
  if (said === "n") throw new UserError("not-confirmed", { what, why: "You answered no.", next });
}

const changedMax = 1_000;

/** The person sees what they confirm. */
function addedText(added: Registered): string {
  const { triggers, problem } = configuredIn(added);
  const rows = triggers.map((trigger) => `  ${trigger.name}: ${waitsFor(trigger)}\n`);
  const confirmed =
    rows.length === 0 ? "" : `Confirmed ${rows.length === 1 ? "its trigger" : `its ${rows.length} triggers`}:\n`;
  return `Registered ${added.root}\n${problem === null ? "" : `${problem.why}\n`}${confirmed}${rows.join("")}`;
}

async function run(options: ServeOptions, context: Context): Promise<number> {
  const serving = await startServing(options);
  const { url, token, hooks } = serving;
  const known = readable(serving);
  const atFirst = known ?? [];
  const workspaces = atFirst.length;
  const open = `${url}/#token=${token.secret}`;
  if (context.json) printEnd(answers.serve, { url, open, workspaces, ...(hooks === null ? {} : { hooks }) }, 0);
  else
    context.answer(`Serving ${workspaces} ${workspaces === 1 ? "workspace" : "workspaces"} on ${url}\nOpen ${open}\n`);
  for (const each of atFirst) tellOfTriggers(each, hooks, context);
  if (known?.length === 0)
    context.comment("No workspace is registered yet. In another terminal: loop serve --add DIR\n");
  if (known !== null) await offer(known, context);
  const looking = setInterval(tellOfNew(serving, atFirst, context), lookMs);
  await new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
  clearInterval(looking);
  await serving.close();
  context.comment("Stopped serving. Runs go on.\n");
  return 0;
}

const lookMs = 2_000;

/** Null: the list cannot be read now. The server prints why, and reads it again. */
function readable(serving: Serving): readonly Registered[] | null {
  try {
    return serving.workspaces();
  } catch (error) {
    if (machineTrouble(error) === null) throw error;
    return null;
  }
}

/** What was registered, or confirmed again, since the last look. */
function tellOfNew(serving: Serving, atFirst: readonly Registered[], context: Context): () => void {
  const printOf = ({ root, triggers }: Registered): string => `${root}\n${triggers}`;
  let known = new Set(atFirst.map(printOf));
  return () => {
    const now = readable(serving);
    if (now === null) return;
    for (const each of now.filter((one) => !known.has(printOf(one)))) {
      context.comment(`Serving ${each.root}\n`);
      tellOfTriggers(each, serving.hooks, context);
    }
    known = new Set(now.map(printOf));
  };
}

/** Where deliveries go, and why a trigger does not fire. */
function tellOfTriggers(of: Registered, hooks: string | null, context: Context): void {
  const { triggers, problem } = configuredIn(of);
  if (problem !== null) context.comment(`${of.root}: no trigger fires. ${problem.why}\n`);
  for (const trigger of triggers.filter(({ webhook }) => webhook !== null)) {
    const deaf = deafness(trigger, { env: process.env, hasPort: hooks !== null });
    if (deaf !== null) context.comment(`${of.root}, trigger ${trigger.name}: ${deaf}\n`);
    else if (!context.json) context.answer(`Webhook ${trigger.name}: ${hooks}/${of.id}/${trigger.name}\n`);
  }
}

function optionsOf({
  port = "7433",
  host = "127.0.0.1",
  name = [],
  tlsCert,
  tlsKey,
  tokenFile,
  hooksPort,
}: ServeFlags): ServeOptions {
  const wrong = (why: string): UserError =>
    new UserError("bad-flag", { what: "Nothing is served.", why, next: "loop serve --help" });
  for (const each of [port, hooksPort ?? "0"])
    if (!/^\d{1,5}$/.test(each) || Number(each) > 65_535) throw wrong(`${JSON.stringify(each)} is not a port.`);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw wrong("--tls-cert and --tls-key go together.");
  return {
    port: Number(port),
    host,
    names: name,
    tls: tlsCert === undefined || tlsKey === undefined ? null : { certFile: tlsCert, keyFile: tlsKey },
    tokenFile: tokenFile ?? null,
    hooksPort: hooksPort === undefined ? null : Number(hooksPort),
  };
}
