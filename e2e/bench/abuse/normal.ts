import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

// The abuse bench's normal accounts, in a separate process: one order at a time over IPC. Each account has an address
// and a key, and sends at a fixed rate whatever the answers take, so that a stall counts for every request it delays.

export interface NormalOrder {
  origin: string;
  keys: string[];
  /** Its account only reads the list of models. */
  observer: string;
  seconds: number;
}

export interface NormalLoad {
  /** By kind, ascending. `ready`: from the start of an upload to the end of its job. */
  ms: Record<string, number[]>;
  /** By kind and cause. */
  errors: Record<string, number>;
}

const EVERY_MS = 400;
/** Nine a second, within the default limit of a key. */
const OBSERVER_EVERY_MS = 110;
const TIMEOUT_MS = 10_000;
/** A small upload that isn't searchable by then counts as an error. */
const READY_MS = 30_000;

interface Kind {
  name: string;
  path: string;
  body?: (number: number) => object;
  isRight: (text: string) => boolean;
}

const QUESTIONS = [
  "What are the signs of a stroke?",
  "How is warfarin monitored?",
  "What are the symptoms of asthma?",
  "How is celiac disease diagnosed?",
];
const CITED = { citations: { enabled: true } };

function chat(name: string, model: string, extra: object): Kind {
  const messages = (number: number) => [
    { role: "user", content: QUESTIONS[number % QUESTIONS.length] },
  ];
  const isStream = "stream" in extra;
  return {
    name,
    path: "/v1/chat/completions",
    body: (number) => ({ model, max_tokens: 100, messages: messages(number), ...extra }),
    isRight: (text) =>
      text.includes(isStream ? "data: [DONE]" : '"usage"') &&
      (!("citations" in extra) || text.includes('"citations":[{')),
  };
}

const MODELS: Kind = { name: "models", path: "/v1/models", isRight: (text) => text.includes("[{") };
const PLAIN = chat("plain", "bench", {});
const STREAMED = chat("streamed", "bench", { stream: true });
const EXTRACTED = chat("cited", "footnote-extract-1", CITED);
const CITED_STREAM = chat("cited, streamed", "bench", { ...CITED, stream: true });
const SEARCH: Kind = {
  name: "search",
  path: "/v1/kb/search",
  body: (number) => ({ query: QUESTIONS[number % QUESTIONS.length] }),
  isRight: (text) => text.includes('"data":[{'),
};
const UPLOAD: Kind = {
  name: "upload",
  path: "/v1/kb/documents",
  body: (number) => ({
    scope: "customer_kb",
    text: `# Ward ${number}.${Date.now()}\n\n${"Patients of this ward take their tablets at noon. ".repeat(40)}`,
  }),
  isRight: (text) => text.includes('"job_id"'),
};
const MIX = [
  PLAIN,
  MODELS,
  STREAMED,
  SEARCH,
  EXTRACTED,
  PLAIN,
  CITED_STREAM,
  SEARCH,
  MODELS,
  UPLOAD,
];

interface Account {
  origin: string;
  key: string;
  agent: Agent;
}

const agents = new Map<string, Agent>();

/** Connections from an address of its own, since a server may share its capacity out by address. */
function agentAt(localAddress: string): Agent {
  const agent = agents.get(localAddress) ?? new Agent({ connect: { localAddress } });
  agents.set(localAddress, agent);
  return agent;
}

process.on("message", (order: NormalOrder) => {
  void drive(order).then((load) => process.send?.(load));
});
process.on("disconnect", () => process.exit(0));

async function drive({ origin, keys, observer, seconds }: NormalOrder): Promise<NormalLoad> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  const account = (key: string, address: string) => ({ origin, key, agent: agentAt(address) });
  await Promise.all([
    paced(account(observer, "127.0.2.1"), { everyMs: OBSERVER_EVERY_MS, until }, (one, dueAt) =>
      measure(one, { kind: MODELS, name: "observer", number: 0, dueAt }, tally),
    ),
    ...keys.map((key, index) =>
      paced(
        account(key, `127.0.1.${index + 1}`),
        { everyMs: EVERY_MS, until },
        (one, dueAt, at) => {
          const kind = MIX[(at + index) % MIX.length] ?? PLAIN;
          const number = at * keys.length + index;
          return measure(one, { kind, name: kind.name, number, dueAt }, tally);
        },
      ),
    ),
  ]);
  return tally.load();
}

/** Starts a request when it is due, not when the last one has ended. */
async function paced(
  account: Account,
  { everyMs, until }: { everyMs: number; until: number },
  one: (account: Account, dueAt: number, at: number) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  const from = performance.now() + Math.random() * everyMs;
  for (let at = 0; from + at * everyMs < until; at += 1) {
    const dueAt = from + at * everyMs;
    await sleep(Math.max(0, dueAt - performance.now()));
    running.push(one(account, dueAt, at));
  }
  await Promise.all(running);
}

interface Sending {
  kind: Kind;
  name: string;
  number: number;
  dueAt: number;
}

async function measure(account: Account, sending: Sending, tally: Tally): Promise<void> {
  const { kind, name, number, dueAt } = sending;
  try {
    const text = await ask(account, kind.path, kind.body?.(number));
    if (!kind.isRight(text)) {
      throw new Error(`unexpected response ${text.slice(0, 200)}`);
    }
    tally.add(name, performance.now() - dueAt);
    if (kind === UPLOAD) {
      await awaitJob(account, JSON.parse(text).job_id, dueAt + READY_MS);
      tally.add("ready", performance.now() - dueAt);
    }
  } catch (thrown) {
    tally.addError(name, thrown, performance.now() - dueAt);
  }
}

async function ask(account: Account, path: string, body?: object): Promise<string> {
  const answer = await request(account.origin + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
    dispatcher: account.agent,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) {
    throw new Error(String(answer.statusCode));
  }
  return text;
}

async function awaitJob(account: Account, id: string, deadline: number): Promise<void> {
  for (;;) {
    const { status } = JSON.parse(await ask(account, `/v1/kb/jobs/${id}?wait=5`));
    if (status === "completed") {
      return;
    }
    if (status === "failed" || performance.now() > deadline) {
      throw new Error(`job ${status}`);
    }
  }
}

class Tally {
  readonly #ms: Record<string, number[]> = {};
  readonly #errors: Record<string, number> = {};

  add(name: string, ms: number): void {
    this.#ms[name] ??= [];
    this.#ms[name].push(ms);
  }

  /** Its time counts as well: an answer that never comes isn't a fast one. */
  addError(name: string, thrown: unknown, ms: number): void {
    const cause = thrown instanceof Error ? thrown.message : String(thrown);
    const key = `${name}: ${cause}`;
    this.#errors[key] = (this.#errors[key] ?? 0) + 1;
    this.add(cause.startsWith("job ") ? "ready" : name, ms);
  }

  load(): NormalLoad {
    const ms = Object.entries(this.#ms).map(([name, list]) => [name, list.sort((a, b) => a - b)]);
    return { ms: Object.fromEntries(ms), errors: this.#errors };
  }
}
