import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { call, dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { scriptVerifier } from "@/lib/testing/fake-upstream-verifier";

const URL_OF_BATCH = "http://localhost:3000/v1/citations/verify/batch";
const SOURCE = { title: "Apixaban", text: "The usual dose of apixaban is 5 mg twice daily." };
const GOOD = { text: "The usual dose of apixaban is 5 mg twice daily [1].", sources: [SOURCE] };
const WRONG = { text: "The usual dose of apixaban is 50 mg twice daily【1】.", sources: [SOURCE] };

const { VERIFY_MODEL } = env;
afterEach(() => {
  env.VERIFY_MODEL = VERIFY_MODEL;
  scriptVerifier(null);
});

function send(key: string, lines: readonly unknown[] | string, init: RequestInit = {}) {
  const body =
    typeof lines === "string" ? lines : lines.map((line) => JSON.stringify(line)).join("\n");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/jsonl" };
  return dispatch(URL_OF_BATCH, { method: "POST", headers, body, ...init });
}

async function linesOf(response: Response) {
  const text = await response.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("POST /v1/citations/verify/batch", () => {
  it("answers each line by itself, in order, with errors in place, then a summary", async () => {
    const { key, id } = await makeKeyedAccount();
    const response = await send(
      key,
      `${JSON.stringify({ ...GOOD, custom_id: "a" })}\r\n\n{"text": \n${JSON.stringify({ custom_id: "c", text: "x", sources: [] })}\n${JSON.stringify(WRONG)}\n`,
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/jsonl",
    ]);
    const [first, second, third, fourth, summary, ...rest] = await linesOf(response);
    expect(first).toMatchObject({
      index: 0,
      custom_id: "a",
      result: { object: "citations.verification", verification: { supported: 1 } },
    });
    expect(second).toMatchObject({
      index: 1,
      custom_id: null,
      error: { code: "invalid_request", type: "invalid_request_error", param: null },
    });
    expect(third).toMatchObject({
      index: 2,
      custom_id: "c",
      error: { code: "invalid_request", param: "sources" },
    });
    expect(fourth).toMatchObject({
      index: 3,
      result: {
        text: "The usual dose of apixaban is 50 mg twice daily[1].",
        verification: { contradicted: 1 },
      },
    });
    expect(summary).toEqual({
      object: "citations.verification.batch",
      lines: 4,
      failed: 2,
      usage: { citations: 2, cost_usd: "0.000000" },
    });
    expect(rest).toEqual([]);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({ kind: "verification", status: 200 });
  });

  it("charges the citations after the free ones of the whole batch", async () => {
    const { key, id } = await makeKeyedAccount();
    const lines = await linesOf(await send(key, Array(25).fill(GOOD)));
    const costs = lines.slice(0, -1).map(({ result }) => result.usage.cost_usd);
    expect(costs).toEqual([...Array(10).fill("0.000000"), ...Array(15).fill("0.000020")]);
    expect(lines.at(-1).usage).toEqual({ citations: 25, cost_usd: "0.000300" });
    expect(await readMoney(id)).toMatchObject({ balance: 4_999_700n, held: 0n });
  });

  it("charges a text without citations for its length, as a single request does", async () => {
    const { key, id } = await makeKeyedAccount();
    const longest = { text: "No marker. ".repeat(1800), sources: [SOURCE] };
    const lines = await linesOf(await send(key, Array(30).fill(longest)));
    expect(lines.at(-1).usage).toEqual({ citations: 0, cost_usd: "0.001000" });
    const texts = fc.tuple(fc.integer({ min: 1, max: 19_000 }), fc.integer({ min: 0, max: 14 }));
    await fc.assert(
      fc.asyncProperty(texts, async ([length, citations]) => {
        const body = { ...longest, text: "x".repeat(length) + " A dose [1].".repeat(citations) };
        const { json } = await call("POST", "/v1/citations/verify", { key, body });
        const [line] = await linesOf(await send(key, [body]));
        expect(line.result.usage).toEqual(json.usage);
      }),
      { numRuns: 10, endOnFailure: true },
    );
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("charges the tokens of a verifying model", async () => {
    env.VERIFY_MODEL = "scripted";
    scriptVerifier(() => ({ verdict: "supported", quote: SOURCE.text }));
    const { key, id } = await makeKeyedAccount();
    const lines = await linesOf(await send(key, [{ ...GOOD, verify: "model" }, GOOD]));
    expect(lines[0].result.usage.verification.model).toBe("scripted");
    const { balance, held } = await readMoney(id);
    expect([5_000_000n - balance, held]).toEqual([
      BigInt(Math.round(Number(lines.at(-1).usage.cost_usd) * 1e6)),
      0n,
    ]);
    expect(balance).toBeLessThan(5_000_000n);
  });

  it("is refused as a whole when the balance can't cover it, and holds nothing", async () => {
    const { key, id } = await makeKeyedAccount();
    await setBalance(id, 0);
    const response = await send(key, Array(40).fill(GOOD));
    expect([response.status, (await response.json()).error.code]).toEqual([
      402,
      "insufficient_balance",
    ]);
    expect((await readMoney(id)).held).toBe(0n);
  });

  it.each([
    ["no line", "\n \n", 400],
    ["too many lines", "{}\n".repeat(1001), 400],
    ["more than 4 MB", "x".repeat(4 * 1024 * 1024 + 1), 413],
    ["too many values", "[[],[]]\n".repeat(50_000), 400],
  ])("refuses %s", async (_, lines, status) => {
    const { key } = await makeKeyedAccount();
    expect((await send(key, lines)).status).toBe(status);
  });

  it("refuses JSON, and says what to send", async () => {
    const { key } = await makeKeyedAccount();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await send(key, [GOOD], { headers });
    expect(response.status).toBe(415);
    expect((await response.json()).error.message).toContain("application/jsonl");
  });

  it("charges a client that leaves for the lines it got, and ends", async () => {
    const { key, id } = await makeKeyedAccount();
    const leave = new AbortController();
    const many = { text: `${GOOD.text} `.repeat(30), sources: [SOURCE] };
    const response = await send(key, Array(200).fill(many), { signal: leave.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    leave.abort();
    await expect.poll(() => lastUsage(id)).toMatchObject({ status: 499 });
    const { balance, held } = await readMoney(id);
    expect(held).toBe(0n);
    expect(balance).toBeLessThan(5_000_000n);
    expect(balance).toBeGreaterThan(5_000_000n - 200n * 30n * 20n);
  });
});
