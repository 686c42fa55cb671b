// The kernel's lock on Linux: an abstract unix socket is bound by one process, and is free the moment that process ends.
import { connect, createServer, type Server } from "node:net";
import { isErrno } from "../disk.ts";

/**
 * All 108 bytes of an address. For shorter names Node 20 binds the padded form and later versions the exact one: two
 * different addresses, and so two holders.
 */
export const addressOf = (hash: string): string => `\0loopwright-lock-${hash}`.padEnd(108, "-");

/** Null: another process holds it. */
export function bindSocket(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((visitor) => visitor.destroy());
    server.on("error", (error) => (isErrno(error, "EADDRINUSE") ? resolve(null) : reject(error)));
    server.listen({ path: address, exclusive: true }, () => resolve(server.unref()));
  });
}

export function closeSocket(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Whether the lock is held. A stopped holder does not answer, but the kernel answers for it. */
export function isBound(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const visitor = connect({ path: address });
    const answer = (bound: boolean) => {
      visitor.destroy();
      resolve(bound);
    };
    visitor.on("connect", () => answer(true));
    // Any error other than a refusal, such as a full queue, means that the socket exists.
    visitor.on("error", (error) => answer(!isErrno(error, "ECONNREFUSED")));
    visitor.setTimeout(500, () => answer(true));
  });
}
