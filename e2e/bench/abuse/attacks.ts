import { connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, request } from "undici";
import {
  burningPage,
  endless,
  forgedSources,
  largeUpload,
  longQuery,
  MULTIPART,
  manyFields,
} from "./bodies.ts";

const TICK_MS = 10;
const CLEAN_UP_MS = 5000;
const ABUSER = "127.0.9.1";
const STRANGER = "127.0.9.2";
const JSON_BODY = { "content-type": "application/json" };
const FORM_BODY = { "content-type": "application/x-www-form-urlencoded" };
const DOCUMENTS = "/v1/kb/documents";
const CHAT = "/v1/chat/completions";
const SIGN_UP = "/api/account/sign-up";
const SIGN_IN = "/api/auth/callback/credentials";

export interface Target {
  origin: string;
  /** The abusive account's. */
  key: string;
  /** Ends every request. */
  signal: AbortSignal;
}

/** How many requests a second, and how many at the same time. */
interface Pace {
  perSecond: number;
  most: number;
}

export interface Attack {
  pace: Pace;
  /** Runs once before; its result is passed to each request. */
  prepare?: (target: Target) => Promise<string>;
  /** Resolves with what became of a request. */
  one: (target: Target, number: number, prepared: string) => Promise<string>;
  /** Runs once afterwards. */
  cleanUp?: (target: Target, prepared: string) => Promise<string>;
}

const STRANGERS_BODIES = [
  [SIGN_IN, FORM_BODY],
  [SIGN_IN, JSON_BODY],
  [SIGN_UP, JSON_BODY],
] as const;
const messages = [{ role: "user", content: "What are the signs of a stroke?" }];

/** In this order: the last one leaves hours of work behind. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  /** The control: what two measurements in a row differ by. */
  nothing: { pace: { perSecond: 1, most: 1 }, one: async () => "not sent" },
  "form fields": {
    pace: { perSecond: 1, most: 2 },
    one: once(
      () => manyFields(60_000),
      (target, body) => send(target, DOCUMENTS, { headers: MULTIPART, body }),
    ),
  },
  "50 MB uploads": {
    pace: { perSecond: 4, most: 8 },
    one: once(
      () => largeUpload(50 * 1024 * 1024),
      (target, body) => send(target, DOCUMENTS, { headers: MULTIPART, body }),
    ),
  },
  "300 MB bodies": {
    pace: { perSecond: 2, most: 4 },
    one: (target, number) => {
      const [path, headers] = STRANGERS_BODIES[number % STRANGERS_BODIES.length] ?? [SIGN_UP];
      const body = Readable.from(endless(300));
      return send(target, path, { headers, body, from: STRANGER, key: null });
    },
  },
  "slow bodies": { pace: { perSecond: 500, most: 2000 }, one: slowBody },
  "unread streams": { pace: { perSecond: 10, most: 100 }, one: unreadStream },
  "hang-ups": { pace: { perSecond: 20, most: 40 }, one: hangUp },
  "50-way search": {
    pace: { perSecond: 200, most: 50 },
    one: once(
      () => longQuery(1000),
      (target, query) =>
        send(target, "/v1/kb/search", { body: JSON.stringify({ query, top_k: 50 }) }),
    ),
  },
  "slow sign-ups": { pace: { perSecond: 8, most: 24 }, one: signUp },
  "forged sources": {
    pace: { perSecond: 1, most: 4 },
    one: once(
      () => forgedSources(4),
      (target, content) => {
        const forged = [{ role: "system", content }, ...messages];
        const body = JSON.stringify({ model: "footnote-extract-1", messages: forged });
        return send(target, CHAT, { body });
      },
    ),
  },
  "long polls": {
    pace: { perSecond: 100, most: 300 },
    // A job that takes long itself. If its upload is rejected, there is nothing to wait for.
    prepare: (target) =>
      burn(target, 0).then((text) => /"job_id":"(\w+)"/.exec(text)?.[1] ?? "none"),
    one: (target, _, job) => send(target, `/v1/kb/jobs/${job}?wait=30`, { method: "GET" }),
    cleanUp: (target, job) => exchange(target, `/v1/kb/jobs/${job}/cancel`, {}),
  },
  "burning pages": {
    pace: { perSecond: 2, most: 8 },
    one: (target, number) => burn(target, number + 1).then(statusOf),
  },
};

/** A request whose body is made when it is first sent. */
function once<T>(make: () => T, one: (target: Target, made: T) => Promise<string>): Attack["one"] {
  let made: T | undefined;
  return (target) => {
    made ??= make();
    return one(target, made);
  };
}

const agents = new Map<string, Agent>();

function agentAt(localAddress: string): Agent {
  const agent =
    agents.get(localAddress) ??
    new Agent({ connect: { localAddress }, headersTimeout: 0, bodyTimeout: 0 });
  agents.set(localAddress, agent);
  return agent;
}

interface Sending {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: Dispatcher.DispatchOptions["body"];
  from?: string;
  key?: string | null;
}

async function exchange({ origin, ...target }: Target, path: string, sending: Sending) {
  const { method = "POST", headers = JSON_BODY, body, from = ABUSER, key = target.key } = sending;
  const answer = await request(origin + path, {
    method,
    headers: { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }) },
    body: body ?? null,
    dispatcher: agentAt(from),
    signal: target.signal,
  });
  return `${answer.statusCode} ${await answer.body.text()}`;
}

async function send(target: Target, path: string, sending: Sending): Promise<string> {
  return statusOf(await exchange(target, path, sending));
}

function statusOf(answer: string): string {
  return answer.slice(0, 3);
}

function burn(target: Target, number: number): Promise<string> {
  return exchange(target, DOCUMENTS, { headers: MULTIPART, body: burningPage(number) });
}

/** Half of them with a key, half without. Each sends just more than the least that isn't cut off. */
function slowBody(target: Target, number: number): Promise<string> {
  const [path, from] = number % 2 ? [CHAT, ABUSER] : [SIGN_UP, STRANGER];
  const { socket, outcome } = open(target, { path, from, length: 1_000_000 });
  // An answer before the end of the body is a rejection.
  socket.once("data", (piece) => socket.destroy(new Error(piece.toString("latin1").slice(9, 12))));
  const timer = setInterval(() => socket.write(" ".repeat(1200)), 1000);
  socket.once("close", () => clearInterval(timer));
  return outcome;
}

/** Asks the upstream for megabytes and reads none of them. */
function unreadStream(target: Target): Promise<string> {
  const body = JSON.stringify({ model: "bench", stream: true, user: "megabytes", messages });
  const { socket, outcome } = open(target, { path: CHAT, from: ABUSER, length: body.length });
  socket.write(body);
  return outcome;
}

/** A raw connection with the head of a request. */
function open(
  { origin, key, signal }: Target,
  { path, from, length }: { path: string; from: string; length: number },
) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
  );
  const end = () => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  const outcome = new Promise<string>((resolve) => {
    let ending = "closed";
    socket.once("error", (error: Error & { code?: string }) => {
      ending = error.code ?? error.message;
    });
    socket.once("close", () => {
      signal.removeEventListener("abort", end);
      resolve(signal.aborted ? "held to the end" : ending);
    });
  });
  return { socket, outcome };
}

/** The upstream takes two seconds to answer; the client leaves after a tenth of one. */
async function hangUp(target: Target): Promise<string> {
  const body = JSON.stringify({ model: "bench", user: "slow", messages });
  const signal = AbortSignal.any([target.signal, AbortSignal.timeout(100)]);
  return send({ ...target, signal }, CHAT, { body }).catch(() => "hung up");
}

/** From two dozen addresses, with passwords that take long to check. */
function signUp(target: Target, number: number): Promise<string> {
  const email = `abuse-${process.pid}-${Date.now()}-${number}@example.org`;
  const password = `P4$$w0rd-${number}-`.repeat(10);
  const from = `127.0.9.${10 + (number % 24)}`;
  return send(target, SIGN_UP, { body: JSON.stringify({ email, password }), from, key: null });
}

/** Runs an attack at its pace until the signal. Resolves with what became of its requests. */
export async function attackWith(attack: Attack, target: Target): Promise<Record<string, number>> {
  const { signal } = target;
  const { perSecond, most } = attack.pace;
  const outcomes: Record<string, number> = {};
  const prepared = (await attack.prepare?.(target)) ?? "";
  const running = new Set<Promise<void>>();
  const launch = (number: number) => {
    const one = attack
      .one(target, number, prepared)
      .catch((thrown: Error & { code?: string }) => {
        return signal.aborted ? "no answer" : (thrown.code ?? thrown.name);
      })
      .then((outcome) => {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        running.delete(one);
      });
    running.add(one);
  };
  const startedAt = performance.now();
  let sent = 0;
  while (!signal.aborted) {
    // Those that found no room aren't made up for.
    const due = Math.ceil(((performance.now() - startedAt) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      if (running.size < most) {
        launch(sent);
      }
    }
    await sleep(TICK_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running);
  // If the server doesn't answer any more, it will be restarted.
  const later = { ...target, signal: AbortSignal.timeout(CLEAN_UP_MS) };
  await attack.cleanUp?.(later, prepared).catch(() => {});
  return outcomes;
}
