// Inside the walls: a port of the loopback interface that leads to the gateway's socket, for the program that is started
// with it, or next to it. Plain Node without imports of ours: it starts with every session.
// Usage: node bridge.mjs <port> <socket> [program [arguments]]
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [port, socket, file, ...args] = process.argv.slice(2);

const server = createServer((inside) => {
  const outside = connect(socket);
  const close = () => {
    inside.destroy();
    outside.destroy();
  };
  inside.on("error", close);
  outside.on("error", close);
  inside.pipe(outside);
  outside.pipe(inside);
  inside.on("close", close);
  outside.on("close", close);
});

// Signals are meant for the program, which gets them too; this ends with it.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});

server.on("error", (error) => {
  process.stderr.write(`The bridge to the model could not listen: ${error.message}\n`);
  process.exit(1);
});
server.listen(Number(port), "127.0.0.1", () => {
  if (file === undefined) return;
  const child = spawn(file, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
});
