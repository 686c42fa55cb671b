// The registered workspaces, each with its engine.
import { UserError } from "../core/errors.ts";
import type { Engine } from "../engines/engine.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { type Registered, readRegistry } from "./registry.ts";

export type Served = Registered & { readonly engine: Engine };

export class Workspaces {
  readonly #path: string;
  readonly #engines = new Map<string, Engine>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Read each time: a workspace can be added while the server runs. */
  all(): readonly Served[] {
    return readRegistry(this.#path).map((each) => ({ ...each, engine: this.#engineOf(each.root) }));
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

  #engineOf(root: string): Engine {
    const engine = this.#engines.get(root) ?? new LocalEngine(root);
    this.#engines.set(root, engine);
    return engine;
  }
}
