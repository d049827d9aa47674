import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMoney } from "@/lib/testing/factories";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { faultsOf } from "./expect";
import { anyRequest, type Drawn, operations } from "./request";
import { type Asker, endJobs, makeAsker, sendDrawn } from "./send";

const REQUESTS = 10_000 * FUZZ_FACTOR;
/** The same requests each time, so that a run says something about the commit and not about luck. */
const SEED = Number(process.env.FOOTNOTE_FUZZ_SEED ?? 20_261_121);
const CONCURRENCY = 8;
/** Below the rate limit per minute. */
const PER_ACCOUNT = 400;
/** Not a speed assertion: it reports a request that never ends. */
const DEADLINE_MS = 30_000;

const callers: Promise<Caller>[] = [];
let sent = 0;
const statuses = new Map<string, Set<number>>();

function nextCaller(): Promise<Caller> {
  const index = Math.floor(sent / PER_ACCOUNT);
  sent += 1;
  callers[index] ??= makeCaller();
  return callers[index];
}

async function ask(generated: GeneratedRequest): Promise<void> {
  const answer = await sendGenerated(await nextCaller(), generated, DEADLINE_MS);
  statuses.set(
    generated.operation,
    (statuses.get(generated.operation) ?? new Set()).add(answer.status),
  );
  const violations = findViolations(answer);
  if (violations.length > 0) {
    const { operation, ...rest } = generated;
    throw new Error(
      `${operation} ${JSON.stringify(rest).slice(0, 2000)}\n${violations.join("\n")}`,
    );
  }
}

const validError = { message: "No.", type: "invalid_request_error", param: null };

/** Error bodies with one violation each. */
const INVALID_ERRORS: [name: string, status: number, body: unknown][] = [
  ["a server error", 500, { ...validError, type: "server_error", code: "internal_error" }],
  ["an unknown code", 400, { ...validError, code: "bad" }],
  ["a code of another status", 404, { ...validError, code: "invalid_request" }],
  ["no message", 400, { ...validError, message: "", code: "invalid_request" }],
  ["a stack frame", 400, { ...validError, code: "invalid_request", message: "at x (native:1:2)" }],
  [
    "a file name",
    400,
    { ...validError, code: "invalid_request", message: "in /srv/app/lib/db/client.ts:3" },
  ],
  ["an SQL statement", 400, { ...validError, code: "invalid_request", message: "SELECT a FROM b" }],
  ["a library name", 400, { ...validError, code: "invalid_request", message: "PrismaClient: no" }],
];

describe("findViolations", () => {
  const headers = new Headers({ "x-request-id": `req_${"0".repeat(26)}` });

  it.each(INVALID_ERRORS)("finds %s", (_name, status, error) => {
    expect(findViolations({ status, headers, text: JSON.stringify({ error }) })).toHaveLength(1);
  });

  it("finds a missing request id, a non-JSON success and a truncated stream", () => {
    const stream = new Headers([...headers, ["content-type", "text/event-stream"]]);
    expect(findViolations({ status: 200, headers: new Headers(), text: "{}" })).toHaveLength(1);
    expect(findViolations({ status: 200, headers, text: "<html>" })).toHaveLength(1);
    expect(
      findViolations({ status: 200, headers: stream, text: 'data: {"a":1}\n\n' }),
    ).toHaveLength(1);
  });

  it("accepts valid responses", () => {
    const text = JSON.stringify({ error: { ...validError, code: "not_found" } });
    expect(findViolations({ status: 404, headers, text })).toEqual([]);
    expect(findViolations({ status: 200, headers, text: "{}" })).toEqual([]);
  });
});

describe("the public API, asked anything", () => {
  it("always answers as decided, with nothing of its inside", {
    timeout: 900_000 * FUZZ_FACTOR,
  }, async () => {
    const requests = fc.array(anyRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(requests, async (generated) => {
        await Promise.all(generated.map(ask));
      }),
      { seed: SEED, numRuns: Math.ceil(REQUESTS / CONCURRENCY) },
    );
  });

  it("covers every operation with successes and failures", () => {
    const seen = operations.map(({ name }) => {
      const all = [...(statuses.get(name) ?? [])];
      return [name, all.some((status) => status < 300), all.some((status) => status >= 400)];
    });
    expect(seen).toEqual(operations.map(({ name }) => [name, true, true]));
  });

  it("leaves a balance equal to the ledger and no holds", { timeout: 300_000 }, async () => {
    for (const caller of await Promise.all(callers)) {
      await endJobs(caller);
      const { balance, held, ledgerSum, openHolds } = await readMoney(caller.accountId);
      expect({ balance, held, openHolds }).toEqual({ balance: ledgerSum, held: 0n, openHolds: 0n });
    }
  });
});
