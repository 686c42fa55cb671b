// The demo on a page: a server for this one folder, apart from the person's own server and its workspaces.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOwnProgram, ownPath } from "../host/own-programs.ts";
import { trust } from "../project/config/trust.ts";
import { placesIn } from "../serve/places.ts";
import { register } from "../serve/registry.ts";
import { serve } from "../serve/serve.ts";
import type { Context } from "./context.ts";

const options = { port: 0, host: "127.0.0.1", names: [], tls: null, tokenFile: null, hooksPort: null } as const;

export async function showInBrowser(root: string, { comment }: Context): Promise<{ untilStopped(): Promise<void> }> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-demo-page-"));
  const places = placesIn(dir);
  register(places.registry, root, { triggers: null, settings: [] });
  // It is our own sample: resuming its run from the page needs no further question.
  trust(root);
  const serving = await serve(options, places);
  const address = `${serving.url}/#token=${serving.token.secret}`;
  comment(`  In the browser: ${address}\n\n`);
  open(address);
  return {
    async untilStopped() {
      comment("\nThe page stays until you press Ctrl-C.\n");
      await new Promise<void>((resolve) => {
        for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
      });
      await serving.close();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Where there is no such program, the address is printed, and that is enough. */
function open(address: string): void {
  const program = findOwnProgram(process.platform === "darwin" ? "open" : "xdg-open");
  if (program === null) return;
  const env = { ...process.env, PATH: ownPath() };
  const child = spawn(program, [address], { stdio: "ignore", detached: true, env });
  child.once("error", () => {});
  child.unref();
}
