import { EventEmitter } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { publicGate, route } from "@/lib/platform/http/route";
import { sse } from "@/lib/platform/http/sse";
import { head, rawClient } from "@/lib/testing/raw-client";
import { createHost } from "./host";
import { cutStalledReaders } from "./stalled-readers";

const TIMEOUT_MS = 300;
/** More than the buffers of a connection hold. */
const LARGE = 50_000_000;

async function start(answer: (response: ServerResponse) => void): Promise<number> {
  return listen(createServer((_request, response) => answer(response)));
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  cutStalledReaders(server, TIMEOUT_MS);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("a client that stops reading", () => {
  it("is disconnected, even while heartbeats are written", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await start((response) => {
      response.write(Buffer.alloc(LARGE));
      const heartbeat = setInterval(() => response.write(":\n\n"), TIMEOUT_MS / 10);
      response.once("close", () => {
        clearInterval(heartbeat);
        closed.resolve();
      });
    });
    const client = rawClient(port);
    client.socket.pause();
    client.send(head("GET /"));
    await closed.promise;
  });

  it("ends its stream as a disconnect does", async () => {
    const ended = Promise.withResolvers<void>();
    async function* events() {
      try {
        for (;;) {
          yield { text: "a".repeat(1_000_000) };
        }
      } finally {
        ended.resolve();
      }
    }
    const stream = route({ gate: publicGate, handle: async () => sse(events()) });
    const host = createHost({ "../app/v1/stream/route.ts": { GET: stream } }, () => {});
    const client = rawClient(await listen(createServer(host.answer)));
    client.socket.pause();
    client.send(head("GET /v1/stream"));
    await ended.promise;
    await host.idle();
  });

  it("is served as long as it takes something or has nothing to take", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const server = createServer();
    cutStalledReaders(server, TIMEOUT_MS);
    const socket = Object.assign(new EventEmitter(), {
      bytesWritten: 1000,
      writableLength: 1000,
      destroy: vi.fn(),
    });
    server.emit("connection", socket);
    for (; socket.writableLength > 0; socket.writableLength -= 100) {
      vi.advanceTimersByTime(TIMEOUT_MS / 2);
    }
    vi.advanceTimersByTime(10 * TIMEOUT_MS);
    expect(socket.destroy).not.toHaveBeenCalled();
    socket.bytesWritten += 100;
    socket.writableLength += 100;
    vi.advanceTimersByTime(2 * TIMEOUT_MS);
    expect(socket.destroy).toHaveBeenCalled();
  });
});
