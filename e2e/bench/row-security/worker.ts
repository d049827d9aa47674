import { GET as listKeys } from "@/app/api/keys/route";
import { GET as listRequests } from "@/app/api/usage/route";
import { GET as usage } from "@/app/v1/billing/usage/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { GET as listDocuments } from "@/app/v1/kb/documents/route";
import { POST as search } from "@/app/v1/kb/search/route";
import type { RouteHandler } from "@/lib/http/route";
import type { Caller, Order, Turn, Work } from "./ask";

// A process of the row-security bench: calls the route handlers directly, following its orders.

const CLIENTS = 4;
const ORIGIN = "http://localhost:3000";
const [model = "", callersJson = ""] = process.argv.slice(2);
const callers: Caller[] = JSON.parse(callersJson);

const HANDLERS: Record<Work, RouteHandler> = {
  "plain completion": complete,
  search,
  "list of documents": listDocuments,
  "list of keys": listKeys,
  "list of requests": listRequests,
  "usage by key": usage,
};

process.on("message", (order: Order) => void turn(order).then((done) => process.send?.(done)));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");

async function turn({ work, requests }: Order): Promise<Turn> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let next = 0;
  const client = async () => {
    while (next < requests) {
      await ask(work, next++);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms_per_request: (performance.now() - startedAt) / requests,
    cpu_ms_per_request: (user + system) / 1000 / requests,
  };
}

/** Callers alternate, so that a connection is rarely reused for the same tenant. */
async function ask(work: Work, index: number): Promise<void> {
  const caller = callers[index % callers.length] as Caller;
  const answer = await HANDLERS[work](requestOf(work, caller, index), {
    params: Promise.resolve({}),
  });
  const text = await answer.text();
  if (answer.status !== 200) {
    throw new Error(`${work}: ${answer.status} ${text}`);
  }
}

function requestOf(work: Work, caller: Caller, index: number): Request {
  const bearer = { authorization: `Bearer ${caller.key}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    new Request(ORIGIN + path, { method: "POST", headers: bearer, body: JSON.stringify(body) });
  const get = (path: string, headers: Record<string, string> = bearer) =>
    new Request(ORIGIN + path, { headers });
  switch (work) {
    case "plain completion":
      return post("/v1/chat/completions", {
        model,
        messages: [{ role: "user", content: "Hello" }],
      });
    case "search":
      return post("/v1/kb/search", {
        query: caller.queries[index % caller.queries.length],
        min_score: 0,
      });
    case "list of documents":
      return get("/v1/kb/documents");
    case "list of keys":
      return get("/api/keys", caller.browser);
    case "list of requests":
      return get("/api/usage", caller.browser);
    case "usage by key":
      return get("/v1/billing/usage?group_by=key");
  }
}
