// The runs whose journals are kept, one folder per release that wrote them, and the state that each folds to.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { next } from "../../src/core/next.ts";
import { parseEvent } from "../../src/engines/local/events.ts";
import { asToday, type Plan } from "../../src/engines/plan.ts";
import { readChain } from "../../src/journal/chain.ts";
import { encodeLine, firstLink } from "../../src/journal/line.ts";
import { overview } from "../../src/report/overview.ts";
import { follow, newStory } from "../../src/report/story.ts";
import { version } from "../../src/version.ts";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, eventful, feature, lie, right, sampleFiles } from "../support/sample.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

export type Golden = { readonly release: string; readonly name: string; readonly dir: string };

export const goldens = (): Golden[] =>
  fs
    .readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: release }) =>
      fs.readdirSync(join(here, release)).map((name) => ({ release, name, dir: join(here, release, name) })),
    );

/** What a person sees of a run, and the next effect. */
export function foldOf(plan: Plan, journal: Buffer, run: string): object {
  const { events, flaw } = readChain(journal, firstLink(run));
  if (flaw !== null) throw new Error(`line ${flaw.line}: ${flaw.why}`);
  const story = events.map(parseEvent).reduce(follow, newStory(asToday(plan.contract)));
  return { status: overview(story, { isDriven: true }), next: next(story.run) };
}

export const runOf = (journal: Buffer): string =>
  (JSON.parse(journal.toString("utf8").split("\n", 1)[0] ?? "") as { event: { run: string } }).event.run;

const runs: Record<string, { files: () => ReturnType<typeof eventful>; play: (project: Project) => Promise<void> }> = {
  "a-lie-and-a-tampering": { files: eventful, play: async (project) => void (await project.loop("run")) },
  "killed-and-continued": {
    files: eventful,
    play: async (project) => {
      const child = project.start(["run"]);
      const end = ended(child);
      await until("event 12", () => project.events().length >= 12);
      child.kill("SIGKILL");
      await end;
      await project.loop("continue");
    },
  },
  "at-a-cap-and-on": {
    files: () =>
      sampleFiles(
        [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator],
        [feature("F001"), feature("F002")],
      ),
    play: async (project) => {
      await project.loop("run", "--iterations", "1");
      await project.loop("continue", "--iterations", "5");
    },
  },
  "stopped-by-a-breaker": {
    files: () => sampleFiles([{ ...builder("F001", 1, lie), attempt: undefined }, evaluator], [feature("F001")]),
    play: async (project) => void (await project.loop("run")),
  },
};

/** Writes the journals of this release. Paths of the machine are replaced, and the hash chain is computed again. */
export async function keepAll(): Promise<void> {
  for (const [name, { files, play }] of Object.entries(runs)) {
    const project = new Project(files());
    try {
      await play(project);
      keep(project, join(here, version, name));
    } finally {
      project.remove();
    }
  }
}

function keep(project: Project, dir: string): void {
  const run = project.runs().at(-1) ?? "";
  const clean = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(project.dir, "/place").replaceAll(process.execPath, "node")) as T;
  const plan = clean(JSON.parse(fs.readFileSync(join(run, "plan.json"), "utf8")) as Plan);
  const lines: Buffer[] = [];
  const id = (project.events()[0] as unknown as { run: string }).run;
  let link = firstLink(id);
  for (const event of project.events()) {
    const line = encodeLine(clean(event), link);
    lines.push(line.bytes);
    link = line.link;
  }
  const journal = Buffer.concat(lines);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(join(dir, "plan.json"), `${JSON.stringify(plan, null, 2)}\n`);
  fs.writeFileSync(join(dir, "events.jsonl"), journal);
  fs.writeFileSync(join(dir, "adds-up-to.json"), `${JSON.stringify(foldOf(plan, journal, id), null, 2)}\n`);
}
