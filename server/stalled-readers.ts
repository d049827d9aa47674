import type { Server } from "node:http";
import type { Socket } from "node:net";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const CHECKS_PER_TIMEOUT = 6;

/** How far a connection got, and when that last changed. */
interface Progress {
  taken: number;
  at: number;
}

/**
 * Disconnects clients that have taken nothing of a waiting response for `timeoutMs`; their requests then end as with any
 * other disconnect. Node's own socket timeout doesn't see them, because every write restarts it, heartbeats included.
 */
export function cutStalledReaders(
  server: Server,
  timeoutMs = env.SEND_TIMEOUT_SECONDS * 1000,
): void {
  const sockets = new Map<Socket, Progress>();
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, { taken: 0, at: Date.now() });
    socket.once("close", () => sockets.delete(socket));
  });
  const check = setInterval(() => {
    const now = Date.now();
    for (const [socket, last] of sockets) {
      const taken = bytesTaken(socket);
      if (socket.writableLength === 0 || taken !== last.taken) {
        sockets.set(socket, { taken, at: now });
      } else if (now - last.at >= timeoutMs) {
        log.info({ waiting_bytes: socket.writableLength }, "client stopped reading: disconnecting");
        socket.destroy();
      }
    }
  }, timeoutMs / CHECKS_PER_TIMEOUT).unref();
  server.once("close", () => clearInterval(check));
}

/** What the operating system has accepted. A large write is accepted piece by piece, which only the handle shows. */
function bytesTaken(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const queued = handle instanceof Object ? Number(Reflect.get(handle, "writeQueueSize")) : 0;
  return socket.bytesWritten - socket.writableLength - queued;
}
