// The engine of this machine passes the suite: two clients are two engines over one vault.
import { describeEngine } from "../../testing/engine-suite.ts";
import { LocalEngine } from "./engine.ts";

describeEngine("local", async (root) => {
  const clients: LocalEngine[] = [];
  return {
    async connect() {
      const client = new LocalEngine(root);
      clients.push(client);
      return client;
    },
    async remove() {
      for (const client of clients) await client.close();
    },
  };
});
