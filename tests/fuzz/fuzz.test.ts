import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMoney } from "@/lib/testing/factories";
import { embedWithFake } from "@/lib/testing/fake-embedder";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { faultsOf } from "./expect";
import { anyRequest, type Drawn, operations } from "./request";
import { type Client, endJobs, makeClient, sendDrawn } from "./send";

const REQUESTS = 10_000 * FUZZ_FACTOR;
/** A fixed seed, so that a result depends on the commit and not on chance. */
const SEED = Number(process.env.FOOTNOTE_FUZZ_SEED ?? 20_261_121);
const AT_ONCE = 8;
/** Below a key's requests per minute. */
const PER_ACCOUNT = 400;
/** Not a performance check: it reports which request hangs. */
const DEADLINE_MS = 30_000;

embedWithFake();

/** Answers every request with the same error. */
const REFUSING = new Set(["POST /v1/responses/{response_id}/cancel"]);

const clients: Promise<Client>[] = [];
let sent = 0;
const statuses = new Map<string, Set<number>>();

function nextClient(): Promise<Client> {
  const index = Math.floor(sent / PER_ACCOUNT);
  sent += 1;
  clients[index] ??= makeClient();
  return clients[index];
}

async function ask(drawn: Drawn): Promise<void> {
  const answer = await sendDrawn(await nextClient(), drawn, DEADLINE_MS);
  statuses.set(drawn.operation, (statuses.get(drawn.operation) ?? new Set()).add(answer.status));
  const faults = faultsOf(answer);
  if (faults.length > 0) {
    const { operation, ...rest } = drawn;
    throw new Error(`${operation} ${JSON.stringify(rest).slice(0, 2000)}\n${faults.join("\n")}`);
  }
}

const valid = { message: "No.", type: "invalid_request_error", param: null };

/** Errors with one fault each. */
const FAULTY: [name: string, status: number, body: unknown][] = [
  ["a server error", 500, { ...valid, type: "server_error", code: "internal_error" }],
  ["an unknown code", 400, { ...valid, code: "bad" }],
  ["a code that doesn't match the status", 404, { ...valid, code: "invalid_request" }],
  ["no message", 400, { ...valid, message: "", code: "invalid_request" }],
  ["a stack frame", 400, { ...valid, code: "invalid_request", message: "at x (native:1:2)" }],
  [
    "a file path",
    400,
    { ...valid, code: "invalid_request", message: "in /srv/app/lib/db/client.ts:3" },
  ],
  ["an SQL statement", 400, { ...valid, code: "invalid_request", message: "SELECT a FROM b" }],
  ["a library name", 400, { ...valid, code: "invalid_request", message: "PrismaClient: no" }],
];

describe("the response check", () => {
  const headers = new Headers({ "x-request-id": `req_${"0".repeat(26)}` });

  it.each(FAULTY)("finds %s", (_name, status, error) => {
    expect(faultsOf({ status, headers, text: JSON.stringify({ error }) })).toHaveLength(1);
  });

  it("finds a missing request id, a success that isn't JSON and an unfinished stream", () => {
    const stream = new Headers([...headers, ["content-type", "text/event-stream"]]);
    expect(faultsOf({ status: 200, headers: new Headers(), text: "{}" })).toHaveLength(1);
    expect(faultsOf({ status: 200, headers, text: "<html>" })).toHaveLength(1);
    expect(faultsOf({ status: 200, headers: stream, text: 'data: {"a":1}\n\n' })).toHaveLength(1);
  });

  it("finds a response's stream without an end, and an undocumented error at its end", () => {
    const stream = new Headers([...headers, ["content-type", "text/event-stream"]]);
    const endingWith = (event: object) =>
      faultsOf({
        status: 200,
        headers: stream,
        text: `event: x\ndata: ${JSON.stringify(event)}\n\n`,
      });
    const error = { type: "error", message: "No.", param: null, sequence_number: 9 };
    expect(endingWith({ type: "response.completed" })).toEqual([]);
    expect(endingWith({ ...error, code: "upstream_error" })).toEqual([]);
    expect(endingWith({ ...error, code: "bad" })).toHaveLength(1);
    expect(endingWith({ type: "response.output_text.delta" })).toHaveLength(1);
  });

  it("accepts documented responses", () => {
    const text = JSON.stringify({ error: { ...valid, code: "not_found" } });
    expect(faultsOf({ status: 404, headers, text })).toEqual([]);
    expect(faultsOf({ status: 200, headers, text: "{}" })).toEqual([]);
  });
});

describe("the public API under random requests", () => {
  it("always returns a documented response without internal details", {
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

  it("has both accepted and rejected requests to every operation that accepts any", () => {
    const seen = operations.map(({ name }) => {
      const all = [...(statuses.get(name) ?? [])];
      return [name, all.some((status) => status < 300), all.some((status) => status >= 400)];
    });
    expect(seen).toEqual(operations.map(({ name }) => [name, !REFUSING.has(name), true]));
  });

  it("has balances that match the ledger, and no open holds", { timeout: 300_000 }, async () => {
    for (const client of await Promise.all(clients)) {
      await endJobs(client);
      const { balance, held, ledgerSum, openHolds } = await readMoney(client.accountId);
      expect({ balance, held, openHolds }).toEqual({ balance: ledgerSum, held: 0n, openHolds: 0n });
    }
  });
});
