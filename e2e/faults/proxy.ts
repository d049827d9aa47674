import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy that simulates failures. A pause accepts connections but forwards no data, like a hung machine; an
 * outage breaks all connections and rejects new ones, like a restarting server.
 */
export async function startProxy(target: URL) {
  const pairs = new Set<[Socket, Socket]>();
  const state = { isPaused: false, isOut: false };
  const server = createServer((client) => {
    if (state.isOut) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const close = () => {
      pairs.delete(pair);
      for (const socket of pair) {
        socket.destroy();
      }
    };
    pass(client, upstream);
    pass(upstream, client);
    for (const socket of pair) {
      socket.setNoDelay(true).on("error", close).on("close", close);
      if (state.isPaused) {
        socket.pause();
      }
    }
  });
  function pass(from: Socket, to: Socket): void {
    from.on("data", (bytes) => {
      to.write(bytes);
    });
  }
  const each = (change: (socket: Socket) => void) => {
    for (const pair of pairs) {
      pair.forEach(change);
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    pause: () => {
      state.isPaused = true;
      each((socket) => socket.pause());
    },
    resume: () => {
      state.isPaused = false;
      each((socket) => socket.resume());
    },
    cut: () => {
      state.isOut = true;
      each((socket) => socket.resetAndDestroy());
    },
    restore: () => {
      state.isOut = false;
    },
    close: async () => {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
