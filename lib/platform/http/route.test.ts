import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { log } from "@/lib/platform/log";
import { methodNotAllowed } from "./methods";
import { onlyGet } from "./only-method";
import { publicGate, route } from "./route";

const URL = "http://localhost:3000/v1/things";

function post(body: string): Request {
  return new Request(URL, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
}

const echo = route({ gate: publicGate, body: z.unknown(), handle: async () => ({}) });
const read = route({
  gate: publicGate,
  params: z.object({ id: z.string() }),
  query: z.looseObject({}),
  handle: async () => ({}),
});

describe("a route", () => {
  afterEach(() => vi.restoreAllMocks());

  it("logs a failure after the client disconnected as 499, not as an error", async () => {
    const info = vi.spyOn(log, "info").mockReturnValue();
    const error = vi.spyOn(log, "error").mockReturnValue();
    const client = new AbortController();
    const failing = route({
      gate: publicGate,
      handle: async () => {
        client.abort();
        throw new Error("aborted");
      },
    });
    await failing(new Request(URL, { signal: client.signal }));
    expect(info).toHaveBeenCalledWith(
      expect.objectContaining({ status: 499 }),
      "client disconnected",
    );
    expect(error).not.toHaveBeenCalled();
  });

  it("logs a failure as an error while the client is still connected", async () => {
    const error = vi.spyOn(log, "error").mockReturnValue();
    const failing = route({ gate: publicGate, handle: () => Promise.reject(new Error("broken")) });
    expect((await failing(new Request(URL))).status).toBe(500);
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ status: 500 }), "request failed");
  });

  it("rejects a body nested deeper than 200 levels", async () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await echo(post(nested(200)))).status).toBe(200);
    for (const levels of [201, 20_000, 1_000_000]) {
      const response = await echo(post(nested(levels)));
      expect(response.status).toBe(400);
      // The deepest body already fails the value count, which runs before parsing.
      expect((await response.json()).error.message).toMatch(
        /nested more than 200 levels|more than 100,000 values/,
      );
    }
  });

  it("names what is wrong with the query, the method and the content type", async () => {
    const list = onlyGet({
      gate: publicGate,
      query: z.strictObject({ limit: z.string().optional() }),
      handle: async () => ({}),
    });
    const messageOf = async (response: Response) => (await response.json()).error.message;
    expect(await messageOf(await list.GET(new Request(`${URL}?limt=1`)))).toBe(
      "'limt' is not a parameter of this endpoint. Remove it or correct its spelling.",
    );
    expect(await messageOf(await list.GET(new Request(`${URL}?limit=1&limit=2`)))).toMatch(
      /^'limit' is repeated/,
    );
    const { GET } = list;
    const { PUT } = methodNotAllowed({ GET, POST: GET, DELETE: GET });
    expect(await messageOf(await PUT(new Request(URL, { method: "PUT" })))).toBe(
      "This path doesn't support PUT. Use GET, POST or DELETE.",
    );
    const untyped = new Request(URL, { method: "POST", body: new Blob(["{}"]) });
    expect(await messageOf(await echo(untyped))).toMatch(/but it has no content type\. Send it/);
  });

  it("answers NUL in the path with 404 and in the query with 400", async () => {
    const context = (id: string) => ({ params: Promise.resolve({ id }) });
    expect((await read(new Request(URL), context("a"))).status).toBe(200);
    expect((await read(new Request(URL), context("a\0b"))).status).toBe(404);
    const response = await read(new Request(`${URL}?after=a%00b`), context("a"));
    expect(response.status).toBe(400);
    expect((await response.json()).error.param).toBe("after");
  });
});
