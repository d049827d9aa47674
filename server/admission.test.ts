import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAdmission } from "./admission";

/** A server that sends its responses when the test releases them. */
async function serve(options: Parameters<typeof createAdmission>[1]) {
  const held: ServerResponse[] = [];
  const admission = createAdmission((request, response) => {
    if (request.url === "/held") {
      held.push(response);
    } else {
      response.end("taken");
    }
  }, options);
  const server = createServer(admission.answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    admission.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { get, held };
}

describe("admission", () => {
  it("answers 503 with retry-after above the limit, and accepts requests again when one ends", async () => {
    const { get, held } = await serve({ maxInFlight: 1, isOverloaded: () => false });
    const first = get("/held");
    await expect.poll(() => held.length).toBe(1);
    const second = await get("/v1/models");
    expect(second.status).toBe(503);
    expect(second.headers.get("retry-after")).toBe("1");
    expect(second.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
    expect((await second.json()).error).toMatchObject({
      type: "server_error",
      code: "service_unavailable",
      param: null,
    });
    held[0]?.end("at last");
    expect(await (await first).text()).toBe("at last");
    await expect.poll(async () => (await get("/v1/models")).status).toBe(200);
  });

  it("always serves the probes and metrics, even when overloaded", async () => {
    const { get } = await serve({ maxInFlight: 10, isOverloaded: () => true });
    const paths = ["/v1/models", "/api/live", "/api/health", "/api/metrics", "/api/healthy", "/"];
    const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status));
    expect(statuses).toEqual([503, 200, 200, 200, 503, 503]);
  });

  it("rejects a stranger's long body by its stated length", async () => {
    const { get } = await serve({ isOverloaded: () => false });
    const send = (bytes: number) =>
      get("/api/account/sign-up", { method: "POST", body: "a".repeat(bytes) });
    expect((await send(64 * 1024)).status).toBe(200);
    const rejected = await send(64 * 1024 + 1);
    expect(rejected.status).toBe(413);
    expect((await rejected.json()).error).toMatchObject({
      code: "payload_too_large",
      message: "The request body is larger than 65536 bytes. Send less in one request.",
    });
  });
});
