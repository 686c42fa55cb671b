// The registered workspaces, each with its engine.
import { UserError } from "../core/errors.ts";
import type { Engine, Reading } from "../engines/engine.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { type Registered, readRegistry } from "./registry.ts";

export type Served = Registered & { readonly engine: Engine };

export class Workspaces {
  readonly #path: string;
  readonly #isStarting: (run: string) => boolean;
  readonly #engines = new Map<string, Engine>();

  /** `isStarting`: a process that will drive the run is about to take it up, so it is not interrupted. */
  constructor(path: string, isStarting: (run: string) => boolean = () => false) {
    this.#path = path;
    this.#isStarting = isStarting;
  }

  /** Read each time: a workspace can be added while the server runs. */
  all(): readonly Served[] {
    return readRegistry(this.#path).map((each) => ({ ...each, engine: this.engineAt(each.root) }));
  }

  find(id: string): Served {
    const found = this.all().find((each) => each.id === id);
    if (found !== undefined) return found;
    throw new UserError("no-such-workspace", {
      what: "There is no such workspace.",
      why: `No registered workspace is called ${id}.`,
      next: "loop serve --add DIR",
    });
  }

  /** Whether a process is about to drive the run. */
  isStarting(run: string): boolean {
    return this.#isStarting(run);
  }

  /** Also of a folder that is not registered, for runs that were begun while it was. */
  engineAt(root: string): Engine {
    const engine = this.#engines.get(root) ?? new ServedEngine(root, this.#isStarting);
    this.#engines.set(root, engine);
    return engine;
  }
}

class ServedEngine extends LocalEngine {
  readonly #isStarting: (run: string) => boolean;

  constructor(root: string, isStarting: (run: string) => boolean) {
    super(root);
    this.#isStarting = isStarting;
  }

  override async read(run: string): Promise<Reading> {
    const reading = await super.read(run);
    return this.#isStarting(run) ? { ...reading, isDriven: true } : reading;
  }
}
