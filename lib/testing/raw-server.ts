import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { guardConnections } from "@/server/connection-guard";
import { HTTP_OPTIONS } from "@/server/http-options";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The server of `npm start` without pages, for one test. */
export async function serve(
  answer: Answer,
  { pace, limits, ...options }: ServerOptions & Parameters<typeof guardConnections>[2] = {},
) {
  const server = createServer({ ...HTTP_OPTIONS, ...options });
  guardConnections(server, answer, { pace, limits });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
