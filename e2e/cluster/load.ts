import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FakeStripe } from "@/lib/testing/fake-stripe-server";
import { CITATIONS, QUESTION, SCRIPTED_MODEL, script } from "../clients/scenario";
import { handbook } from "../faults/product";

/** How many clients of each kind send one request after the other. */
const CLIENTS = { plain: 6, cited: 2, streamed: 3, search: 1, upload: 1, payment: 1 } as const;
const PAUSE_MS = 50;
/** Between uploads and between payments of one client. */
const SLOW_PAUSE_MS = 500;
const REQUEST_LIMIT_MS = 60_000;
const WORDS = 12;
const ANSWER = "word ".repeat(WORDS).trim();
const SECTIONS = 4;
const PAYMENT_CENTS = 500;

type Kind = keyof typeof CLIENTS;

/** How a request ended: with its answer, with an error the API documents, or without an end. */
export interface Ended {
  kind: Kind;
  at: number;
  ms: number;
  end: "answered" | "refused" | "cut";
  status: number;
  code: string | null;
  requestId: string | null;
}

interface Paid {
  sessionId: string;
  checkoutId: string;
}

export interface Load {
  ended: Ended[];
  jobs: string[];
  paid: Paid[];
  /** Resolves when every request has ended. */
  stop(): Promise<void>;
}

interface Target {
  url: string;
  key: string;
  stripe: FakeStripe;
}

/** Micro-dollars that one answer of the scripted model costs. */
export const ANSWER_MICROS = WORDS;

/** Clients of every kind, until stopped. Each repeats what failed, as a user's program does. */
export function startLoad(target: Target): Load {
  const load: Load = { ended: [], jobs: [], paid: [], stop: async () => {} };
  let isOver = false;
  const clients = Object.entries(CLIENTS).flatMap(([kind, count]) =>
    Array.from({ length: count }, async () => {
      while (!isOver) {
        await REQUESTS[kind as Kind](target, load);
        await sleep(kind === "upload" || kind === "payment" ? SLOW_PAUSE_MS : PAUSE_MS);
      }
    }),
  );
  load.stop = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  return load;
}

const REQUESTS: Record<Kind, (target: Target, load: Load) => Promise<void>> = {
  plain: async (target, load) => {
    await send(target, load, "plain", "/v1/chat/completions", chat(script({ text: ANSWER })));
  },
  cited: async (target, load) => {
    const body = chat(`${QUESTION} ${script({ text: ANSWER })}`);
    await send(target, load, "cited", "/v1/chat/completions", { ...body, citations: CITATIONS });
  },
  streamed: async (target, load) => {
    const body = chat(script({ text: ANSWER, pieceMs: 100 }));
    await send(target, load, "streamed", "/v1/chat/completions", { ...body, stream: true });
  },
  search: async (target, load) => {
    await send(target, load, "search", "/v1/kb/search", { query: QUESTION });
  },
  upload: async (target, load) => {
    const body = { scope: "customer_kb", text: `${randomUUID()}\n\n${handbook(1, SECTIONS)}` };
    const answer = await send(target, load, "upload", "/v1/kb/documents", body);
    if (answer) {
      load.jobs.push(answer.job_id);
    }
  },
  payment: pay,
};

/** Opens a checkout, pays it, and delivers Stripe's event until the product has it, and once more. */
async function pay(target: Target, load: Load): Promise<void> {
  const path = "/v1/billing/checkout-sessions";
  const idempotencyKey = randomUUID();
  const body = { amount: PAYMENT_CENTS };
  let opened = await send(target, load, "payment", path, body, {
    "idempotency-key": idempotencyKey,
  });
  while (!opened) {
    await sleep(SLOW_PAUSE_MS);
    opened = await send(target, load, "payment", path, body, { "idempotency-key": idempotencyKey });
  }
  const sessionId = new URL(opened.url).pathname.split("/").at(-1) ?? "";
  target.stripe.pay(sessionId);
  load.paid.push({ sessionId, checkoutId: opened.id });
  const event = target.stripe.event("checkout.session.completed", target.stripe.session(sessionId));
  for (let deliveries = 0; deliveries < 2; ) {
    const response = await fetch(`${target.url}/api/webhooks/stripe`, {
      method: "POST",
      headers: event.headers,
      body: event.raw,
    }).catch(() => null);
    deliveries += response?.ok ? 1 : 0;
    await response?.text().catch(() => "");
    await sleep(PAUSE_MS);
  }
}

function chat(content: string) {
  return { model: SCRIPTED_MODEL, messages: [{ role: "user", content }] };
}

/** Sends one request and records its end. Returns the answer's JSON, or null; for a stream an empty object. */
async function send(
  { url, key }: Target,
  load: Load,
  kind: Kind,
  path: string,
  body: object,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
): Promise<any> {
  const at = performance.now();
  const ended: Ended = { kind, at, ms: 0, end: "cut", status: 0, code: null, requestId: null };
  load.ended.push(ended);
  try {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    ended.status = response.status;
    ended.requestId = response.headers.get("x-request-id");
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const answer = isStream ? lastOf(text) : JSON.parse(text);
    ended.code = answer?.error?.code ?? null;
    // The proxy says so in place of a server that broke off.
    const isBroken = ended.code === "internal_error" && !ended.requestId;
    ended.end = isBroken || answer === null ? "cut" : ended.code ? "refused" : "answered";
    return ended.end === "answered" ? answer : null;
  } catch {
    // Without an end: the connection broke.
    return null;
  } finally {
    ended.ms = performance.now() - at;
  }
}

/** A stream's end: an empty object for [DONE], its error, or null when it was cut. */
function lastOf(text: string): { error?: { code: string } } | null {
  const events = text.split("\n\n").filter((event) => event.startsWith("data: "));
  const last = events.at(-1)?.slice("data: ".length);
  if (last === "[DONE]") {
    const failed = events
      .map((event) => event.slice(6))
      .find((event) => event.startsWith('{"error"'));
    return failed ? JSON.parse(failed) : {};
  }
  const error = last ? JSON.parse(last) : null;
  return error?.error ? error : null;
}
