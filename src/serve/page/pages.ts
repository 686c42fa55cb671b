// The pages by their addresses: one for everything, one for each run. Viewers of the same page share it.
import type { ServerResponse } from "node:http";
import { noSuchRun } from "../../engines/watch.ts";
import { pageHtml } from "../../report/page/shell.ts";
import { version } from "../../version.ts";
import { type Printed, troubleText } from "../printed.ts";
import type { Person } from "../tokens.ts";
import type { Workspaces } from "../workspaces.ts";
import { Board } from "./board.ts";
import { HomeSource, placeOf, type TriggerLook } from "./home-source.ts";
import { RunSource } from "./run-source.ts";
import { Diffs } from "./waiting-items.ts";

export type Page = {
  html(person: Person): Promise<string>;
  watch(person: Person, response: ServerResponse): Promise<void>;
};

/** Pages that have no viewer are forgotten from here on. */
const boardsMax = 30;

type Shelf = {
  readonly workspaces: Workspaces;
  readonly triggers: TriggerLook;
  readonly printed: Printed;
  readonly closing: AbortSignal;
};

export class Pages {
  readonly #shelf: Shelf;
  readonly #boards = new Map<string, Board>();
  readonly #diffs = new Diffs();

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  /** Null: there is no page at this address. Throws if its workspace or run is unknown. */
  async find(segments: readonly string[]): Promise<Page | null> {
    const [workspaces, id = "", runs, run = ""] = segments;
    if (segments.length === 0) return this.#page("/live", true, this.#home());
    if (segments.length !== 4 || workspaces !== "workspaces" || runs !== "runs") return null;
    return this.#page(`/${segments.join("/")}/live`, false, await this.#run(id, run));
  }

  #home(): Board {
    const { workspaces, triggers } = this.#shelf;
    return this.#board("", () => new HomeSource(workspaces, triggers, this.#diffs));
  }

  async #run(id: string, run: string): Promise<Board> {
    const served = this.#shelf.workspaces.find(id);
    if (!(await served.engine.runs()).includes(run)) throw noSuchRun(run);
    return this.#board(`${id} ${run}`, () => new RunSource(served.engine, placeOf(served), run, this.#diffs));
  }

  #board(key: string, make: () => HomeSource | RunSource): Board {
    const known = this.#boards.get(key);
    if (known !== undefined) return known;
    for (const [other, board] of this.#boards)
      if (this.#boards.size >= boardsMax && !board.isUsed) this.#boards.delete(other);
    const { printed, closing } = this.#shelf;
    const made = new Board(make(), {
      closing,
      met: (error) => (error === null ? printed.clear(key) : printed.add(troubleText(error), key)),
    });
    this.#boards.set(key, made);
    return made;
  }

  #page(live: string, isHome: boolean, board: Board): Page {
    return {
      async html({ name: who, may }) {
        const { title, parts, tail } = await board.drawn(may);
        return pageHtml({ title, parts }, { live, version, who, may, isHome, lines: tail?.lines ?? [] });
      },
      watch: ({ may }, response) => board.watch(may, response),
    };
  }
}
