import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { env } from "@/lib/platform/env";
import { clientAddress } from "@/lib/platform/http/request";
import { changeCount } from "@/lib/platform/limits/open-streams";

/** Of the open files that the process may have: databases, uploads and calls to upstreams need the rest. */
const SHARE_OF_FILES = 0.8;
/** Of all connections, for one address: three can be greedy at once without keeping others out. */
const SHARE_OF_ADDRESS = 1 / 4;
/** Where the system doesn't say. */
const USUAL_OPEN_FILES = 1024;
const MOST_CONNECTIONS = 32_768;

export interface ConnectionLimits {
  all: number;
  perAddress: number;
}

/** Behind trusted proxies, every connection comes from one of theirs: only the total is limited. */
export function connectionLimits(openFiles = openFileLimit()): ConnectionLimits {
  const most = Math.min(Math.floor(openFiles * SHARE_OF_FILES), MOST_CONNECTIONS);
  const all = Math.min(env.MAX_CONNECTIONS ?? most, most);
  const usual = env.TRUSTED_PROXIES > 0 ? all : Math.ceil(all * SHARE_OF_ADDRESS);
  return { all, perAddress: env.MAX_CONNECTIONS_PER_ADDRESS ?? usual };
}

function openFileLimit(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(soft ?? USUAL_OPEN_FILES);
  } catch {
    return USUAL_OPEN_FILES;
  }
}

/** Closes connections beyond the limits: those of one address by `reject`, others at once. Each is reported. */
export function limitConnections(
  server: Server,
  { all, perAddress }: ConnectionLimits,
  { reject, onDropped }: { reject: (socket: Socket) => void; onDropped: () => void },
): void {
  const open = new Map<string, number>();
  server.maxConnections = all;
  server.on("drop", onDropped);
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, 0);
    const count = changeCount(open, address, 1);
    socket.once("close", () => changeCount(open, address, -1));
    if (count > perAddress) {
      reject(socket);
    }
  });
}
