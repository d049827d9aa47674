import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { publicGate, route } from "@/lib/platform/http/route";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import { type AdmissionOptions, createAdmission } from "@/server/admission";
import { createHost } from "@/server/host";
import { RequestSlots } from "@/server/request-slots";

// Attackers and everyone else share one address here, as behind a proxy.

const JSON_TYPE = { "content-type": "application/json" };

/** The account is in the bearer token. Waits until `release` is called, if asked to. */
function routes() {
  const waiting: (() => void)[] = [];
  const gate = async (request: Request) => {
    const account = request.headers.get("authorization")?.replace("Bearer ", "") ?? "none";
    return { ctx: null, caller: { account_id: account } };
  };
  const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
  const held = route({
    gate,
    handle: async () => {
      await wait();
      return { held: true };
    },
  });
  const files = {
    "../app/v1/models/route.ts": {
      GET: route({ gate, handle: async () => ({ data: [] }) }),
      POST: route({ gate, body: z.unknown(), handle: async ({ body }) => ({ body }) }),
    },
    "../app/v1/jobs/route.ts": { GET: held },
    "../app/v1/open/route.ts": {
      POST: route({ gate: publicGate, body: z.unknown(), handle: async () => ({}) }),
    },
  };
  return { files, waiting };
}

async function start(options: AdmissionOptions) {
  const { files, waiting } = routes();
  const pages: ServerResponse[] = [];
  const host = createHost(files, (request, response) => {
    if (request.url?.startsWith("/api/account")) {
      request.resume().once("end", () => response.end("{}"));
    } else {
      pages.push(response);
    }
  });
  const rejected: IncomingMessage[] = [];
  const admission = createAdmission(host.answer, {
    isOverloaded: () => false,
    rejectSlow: (request) => {
      rejected.push(request);
      request.destroy();
    },
    ...options,
  });
  onTestFinished(() => admission.close());
  const port = await serve(admission.answer);
  const url = `http://127.0.0.1:${port}`;
  const get = (account: string, path = "/v1/models") =>
    fetch(url + path, { headers: { authorization: `Bearer ${account}` } });
  /** Sends the head of a request and one byte of its body. */
  const drip = (path: string, headers: Record<string, string> = {}) => {
    const client = rawClient(port);
    client.send(`${head(`POST ${path}`, { ...JSON_TYPE, "content-length": "9", ...headers })}"`);
    return client;
  };
  return { port, get, drip, waiting, pages, rejected };
}

describe("a body that is still arriving", () => {
  it("takes no request's place, from a stranger or from an account", async () => {
    const { get, drip, port } = await start({ maxInFlight: 4 });
    for (let count = 0; count < 4; count += 1) {
      drip("/api/account/sign-up");
      drip("/v1/models", { authorization: "Bearer slow" });
      drip("/v1/open");
    }
    await expect.poll(async () => (await get("other")).status).toBe(200);
    const post = await fetch(`http://127.0.0.1:${port}/v1/models`, {
      method: "POST",
      headers: { ...JSON_TYPE, authorization: "Bearer other" },
      body: "[1]",
    });
    expect(post.status).toBe(200);
  });

  it("gives way, oldest first, when an address or an account has more than 50 of them", async () => {
    const { drip, rejected, get } = await start({ maxInFlight: 1000 });
    for (let count = 0; count < 52; count += 1) {
      const clients = [
        drip("/api/account/sign-up", { "x-at": String(count) }),
        drip("/v1/models", { authorization: "Bearer slow", "x-at": String(count) }),
      ];
      await Promise.all(clients.map(({ socket }) => once(socket, "connect")));
    }
    await expect.poll(() => rejected.length, { timeout: 10_000 }).toBe(4);
    const first = rejected.map(({ headers, url }) => `${url} ${headers["x-at"]}`);
    expect(first.toSorted()).toEqual([
      "/api/account/sign-up 0",
      "/api/account/sign-up 1",
      "/v1/models 0",
      "/v1/models 1",
    ]);
    expect((await get("other")).status).toBe(200);
  });

  it("doesn't give way once it is whole, though nobody has read it yet", async () => {
    const rejected: IncomingMessage[] = [];
    const slots = new RequestSlots({
      maxRunning: 2,
      maxShare: 2,
      rejectSlow: (request) => rejected.push(request),
    });
    const open = (url: string) => {
      const request = Object.assign(new EventEmitter(), {
        url,
        headers: { "content-length": "5" },
        complete: false,
      });
      const slot = slots.open(request as never, new EventEmitter() as never);
      return { request, slot };
    };
    const whole = open("/v1/first");
    const arriving = open("/v1/second");
    await new Promise(process.nextTick);
    whole.request.complete = true;
    expect(open("/v1/third").slot).not.toBeNull();
    expect(rejected).toEqual([arriving.request]);
    expect(whole.slot?.phase).toBe("arriving");
  });

  it("counts once it has arrived", async () => {
    const { drip, get, waiting } = await start({ maxInFlight: 2, maxPerAccount: 2 });
    const client = drip("/v1/models", { authorization: "Bearer slow" });
    const held = get("a", "/v1/jobs");
    await expect.poll(() => waiting.length).toBe(1);
    expect((await get("b")).status).toBe(200);
    client.send('1234567"');
    expect(answersIn(await client.receives(/1234567/))[0]?.status).toBe(200);
    waiting[0]?.();
    expect((await held).status).toBe(200);
  });
});

describe("one account", () => {
  it("gets 429 beyond its share of the running requests, and others are served", async () => {
    const { get, waiting } = await start({ maxInFlight: 8 });
    const polls = [get("greedy", "/v1/jobs"), get("greedy", "/v1/jobs")];
    await expect.poll(() => waiting.length).toBe(2);
    const refused = await get("greedy", "/v1/jobs");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await refused.json()).error.code).toBe("rate_limit_exceeded");
    expect((await get("other")).status).toBe(200);
    waiting[0]?.();
    await polls[0];
    expect((await get("greedy")).status).toBe(200);
    waiting[1]?.();
    await polls[1];
  });
});

describe("one client address", () => {
  it("can have a share of the requests outside /v1, and doesn't keep API clients out", async () => {
    const { get, pages } = await start({ maxInFlight: 8 });
    void Promise.allSettled([get("a", "/one"), get("a", "/two")]);
    await expect.poll(() => pages.length).toBe(2);
    expect((await get("a", "/three")).status).toBe(503);
    expect((await get("other")).status).toBe(200);
  });

  it("takes no places with rejected API requests, even if it doesn't read the responses", async () => {
    const { port, get, pages } = await start({ maxInFlight: 1 });
    const client = rawClient(port);
    client.socket.pause();
    client.send(head("GET /v1/none"));
    await expect.poll(() => pages.length).toBe(1);
    pages[0]?.end(Buffer.alloc(50_000_000));
    await expect.poll(async () => (await get("other")).status).toBe(200);
    expect(pages[0]?.closed).toBe(false);
  });

  it("holds its places outside /v1 until the responses are read", async () => {
    const { port, get, pages } = await start({ maxInFlight: 4 });
    const client = rawClient(port);
    client.socket.pause();
    client.send(head("GET /page"));
    await expect.poll(() => pages.length).toBe(1);
    pages[0]?.end(Buffer.alloc(50_000_000));
    await expect.poll(async () => (await get("other")).status).toBe(200);
    expect((await get("a", "/page")).status).toBe(503);
  });
});
