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
const AT_ONCE = 8;
/** Below what a key may ask in a minute. */
const PER_ACCOUNT = 400;
/** No assertion of speed: without it a request that never ends would say nothing of itself. */
const DEADLINE_MS = 30_000;

const askers: Promise<Asker>[] = [];
let sent = 0;
const statuses = new Map<string, Set<number>>();

function nextAsker(): Promise<Asker> {
  const index = Math.floor(sent / PER_ACCOUNT);
  sent += 1;
  askers[index] ??= makeAsker();
  return askers[index];
}

async function ask(drawn: Drawn): Promise<void> {
  const answer = await sendDrawn(await nextAsker(), drawn, DEADLINE_MS);
  statuses.set(drawn.operation, (statuses.get(drawn.operation) ?? new Set()).add(answer.status));
  const faults = faultsOf(answer);
  if (faults.length > 0) {
    const { operation, ...rest } = drawn;
    throw new Error(`${operation} ${JSON.stringify(rest).slice(0, 2000)}\n${faults.join("\n")}`);
  }
}

const decided = { message: "No.", type: "invalid_request_error", param: null };

/** Each with one thing in it that no answer may have. */
const FAULTY: [name: string, status: number, body: unknown][] = [
  ["a server error", 500, { ...decided, type: "server_error", code: "internal_error" }],
  ["a code that was not decided", 400, { ...decided, code: "bad" }],
  ["a code of another status", 404, { ...decided, code: "invalid_request" }],
  ["no message", 400, { ...decided, message: "", code: "invalid_request" }],
  ["a frame", 400, { ...decided, code: "invalid_request", message: "at x (native:1:2)" }],
  [
    "a file",
    400,
    { ...decided, code: "invalid_request", message: "in /srv/app/lib/db/client.ts:3" },
  ],
  ["a statement", 400, { ...decided, code: "invalid_request", message: "SELECT a FROM b" }],
  ["a library", 400, { ...decided, code: "invalid_request", message: "PrismaClient: no" }],
];

describe("the look at an answer", () => {
  const headers = new Headers({ "x-request-id": `req_${"0".repeat(26)}` });

  it.each(FAULTY)("finds %s", (_name, status, error) => {
    expect(faultsOf({ status, headers, text: JSON.stringify({ error }) })).toHaveLength(1);
  });

  it("finds a missing id, a success that is no JSON and a stream without an end", () => {
    const stream = new Headers([...headers, ["content-type", "text/event-stream"]]);
    expect(faultsOf({ status: 200, headers: new Headers(), text: "{}" })).toHaveLength(1);
    expect(faultsOf({ status: 200, headers, text: "<html>" })).toHaveLength(1);
    expect(faultsOf({ status: 200, headers: stream, text: 'data: {"a":1}\n\n' })).toHaveLength(1);
  });

  it("finds nothing in what was decided", () => {
    const text = JSON.stringify({ error: { ...decided, code: "not_found" } });
    expect(faultsOf({ status: 404, headers, text })).toEqual([]);
    expect(faultsOf({ status: 200, headers, text: "{}" })).toEqual([]);
  });
});

describe("the public API, asked anything", () => {
  it("always answers as decided, with nothing of its inside", {
    timeout: 900_000 * FUZZ_FACTOR,
  }, async () => {
    const requests = fc.array(anyRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(requests, async (drawn) => {
        await Promise.all(drawn.map(ask));
      }),
      { seed: SEED, numRuns: Math.ceil(REQUESTS / AT_ONCE) },
    );
  });

  it("was really asked: every operation has answered with success and with refusals", () => {
    const seen = operations.map(({ name }) => {
      const all = [...(statuses.get(name) ?? [])];
      return [name, all.some((status) => status < 300), all.some((status) => status >= 400)];
    });
    expect(seen).toEqual(operations.map(({ name }) => [name, true, true]));
  });

  it("has charged what its ledger says, and holds nothing", { timeout: 300_000 }, async () => {
    for (const asker of await Promise.all(askers)) {
      await endJobs(asker);
      const { balance, held, ledgerSum, openHolds } = await readMoney(asker.accountId);
      expect({ balance, held, openHolds }).toEqual({ balance: ledgerSum, held: 0n, openHolds: 0n });
    }
  });
});
