import { describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/lib/platform/env";
import { dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const QUESTION = "What are the symptoms of asthma?";

let named = 0;

/** Asks for a stream whose upstream follows the script. */
async function ask(script: object, model = "scripted") {
  named += 1;
  const name = `opening-${named}`;
  const account = await makeKeyedAccount({ models: [model] });
  const hangUp = new AbortController();
  const response = dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    signal: hangUp.signal,
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      messages: [
        { role: "user", content: `${QUESTION} script:${JSON.stringify({ ...script, name })}` },
      ],
      stream: true,
      citations: { enabled: true },
    }),
  });
  const isAsked = () => upstream().seen.some(({ body }) => JSON.stringify(body).includes(name));
  return { response, isAsked, hangUp, account };
}

function fakeTimers() {
  const toFake = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

function readerOf(response: Response) {
  const reader = response.body?.getReader();
  const text = new TextDecoder();
  const next = async () => text.decode((await reader?.read())?.value);
  const rest = async () => {
    let all = "";
    for (let piece = await next(); piece !== ""; piece = await next()) {
      all += piece;
    }
    return all;
  };
  return { next, rest };
}

function chunkOf(event: string) {
  return JSON.parse(event.replace("data: ", ""));
}

describe("a stream", () => {
  it("begins with role and sources as soon as the upstream has accepted it", async () => {
    const { response, hangUp, account } = await ask({ fault: "hangs after its head" });
    const opened = await response;
    expect([opened.status, opened.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    const { choices, citations, retrieval } = chunkOf(await readerOf(opened).next());
    expect(choices).toEqual([
      { index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null },
    ]);
    expect(citations.length).toBeGreaterThan(0);
    expect(retrieval.query).toContain(QUESTION);
    // The upstream is read on for its usage, but not for long here.
    const { HOLD_LEASE_SECONDS: lease } = env;
    onTestFinished(() => void Object.assign(env, { HOLD_LEASE_SECONDS: lease }));
    env.HOLD_LEASE_SECONDS = 0;
    hangUp.abort();
    // The model was asked, so its prompt is charged, at the grounded rate.
    await vi.waitFor(async () =>
      expect(await lastUsage(account.id)).toMatchObject({
        ...{ status: 499, kind: "grounded", completionTokens: 0 },
        ...{ promptTokens: expect.any(Number), firstTokenMs: null },
      }),
    );
    expect((await lastUsage(account.id)).costMicros).toBeGreaterThan(0n);
  });

  it("opens within 10 seconds, sends a keep-alive every 15 seconds, then streams the answer", async () => {
    fakeTimers();
    const { response, isAsked } = await ask({ delayMs: 45_000, text: "At last." });
    const isOpen = vi.fn();
    void response.then(isOpen);
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    await vi.advanceTimersByTimeAsync(8000);
    expect(isOpen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2500);
    const { next, rest } = readerOf(await response);
    expect(chunkOf(await next()).citations.length).toBeGreaterThan(0);
    const comments = next();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await comments).toBe(": keep-alive\n\n");
    const all = rest();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await all).toMatch(/keep-alive[\s\S]*At"[\s\S]*last"[\s\S]*data: \[DONE\]\n\n$/);
  });

  it("that began before its model failed ends with an error event, and is free", async () => {
    fakeTimers();
    const { response, isAsked, account } = await ask({ delayMs: 11_000, status: 400 });
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    await vi.advanceTimersByTimeAsync(10_500);
    const opened = await response;
    expect(opened.status).toBe(200);
    const all = readerOf(opened).rest();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await all).toMatch(/"code":"invalid_request"\}\}\n\n$/);
    expect(await readMoney(account.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(account.id)).toMatchObject({ status: 400, costMicros: 0n });
  });

  it("whose model fails before it began is an HTTP error", async () => {
    const { response, account } = await ask({
      status: 400,
      error: { message: "No.", param: "seed" },
    });
    const failed = await response;
    expect(failed.status).toBe(400);
    expect((await failed.json()).error).toMatchObject({ message: "No.", param: "seed" });
    expect(await readMoney(account.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("names the fallback once that answers", async () => {
    const script = { fault: "is no JSON", only: "first-model" };
    const { response } = await ask(script, "scripted-replaced");
    const text = await (await response).text();
    const chunks = text.split("\n\n").slice(0, -2).map(chunkOf);
    const models = chunks.map(({ model }) => model);
    expect([models[0], ...new Set(models.slice(1))]).toEqual(["scripted-replaced", "scripted"]);
  });
});
