import { env } from "@/lib/platform/env";

/** Endpoints of OpenAI, Anthropic and Azure that stock clients call and that aren't here, with what to do instead. */
const NOT_SERVED: readonly [path: RegExp, advice: string][] = [
  [
    /^(?:images|audio|moderations|realtime|videos|batches|fine_tuning|containers|evals)$/,
    "This API has chat completions, responses, embeddings, models, knowledge bases and billing: send such requests to your model's provider directly.",
  ],
  [
    /^responses$/,
    "A stored response can be read, deleted and listed with its input_items. Responses don't run in the background, and there is no compact or input_tokens.",
  ],
  [
    /^(?:messages|complete)$/,
    "This API has no endpoints of Anthropic's: use POST /v1/chat/completions or POST /v1/responses with an OpenAI client. A gateway such as LiteLLM translates for clients that can't.",
  ],
  [
    /^deployments$/,
    "This is Azure's form of a path: use the client OpenAI instead of AzureOpenAI, and the model's id instead of a deployment, as docs/migrate-azure shows.",
  ],
  [
    /^(?:webhook_endpoints|webhooks)$/,
    "This server sends no webhooks: follow a job with GET /v1/kb/jobs/{id}?wait=30.",
  ],
  [
    /^mcp$/,
    "The Model Context Protocol is served at /mcp: set your client's URL to this server's address with /mcp, and nothing after it.",
  ],
  [/^chat$/, "A client's base URL ends in /v1: it adds /chat/completions and /models itself."],
  [
    /^$/,
    "This is the base URL: clients add paths to it, such as /models, which lists what your key can call.",
  ],
  [/^completions$/, "Use POST /v1/chat/completions, which takes messages instead of a prompt."],
  [
    /^(?:assistants|threads|conversations)$/,
    "Use POST /v1/responses with file_search, or POST /v1/chat/completions with 'citations', to answer from your documents.",
  ],
];
/** The first parts of the API's paths and of OpenAI's, and those of other base URLs. */
const API_PATH =
  /^\/(?:chat|citations|kb|models|billing|presets|responses|embeddings|images|audio|moderations|completions|files|uploads|vector_stores|assistants|threads|conversations|batches|fine_tuning|messages|deployments|webhook_endpoints|mcp|openai|V1|v2)(?:\/|$)/;

/** What to do about a path that doesn't exist, for a client's developer. */
export function adviceOn(pathname: string): string {
  const [, prefix = "", first = ""] = pathname.split("/");
  if (prefix === "v1" && first === "v1") {
    return `It has /v1 twice: set your client's base URL to ${baseUrl()}.`;
  }
  if (hasRepeatedSlashes(pathname)) {
    const once = pathname.replace(/[/\\]+/g, "/");
    return `Write each slash once: ${once}. A base URL, such as ${baseUrl()}, has none at its end.`;
  }
  const foreign = /^\/(?:openai\/|api\/)?(deployments|mcp)(?:\/|$)/.exec(pathname)?.[1];
  if (foreign) {
    return adviceOn(`/v1/${foreign}`);
  }
  const path = pathname.replace(/^\/api(?=\/)/, "");
  if (prefix !== "v1" && (isApiPath(path) || path.startsWith("/v1/"))) {
    return `API paths start with /v1: set your client's base URL to ${baseUrl()}.`;
  }
  const advice = prefix === "v1" && NOT_SERVED.find(([path]) => path.test(first))?.[1];
  return advice || "Check the path: API paths start with /v1 and have no trailing slash.";
}

const REPEATED_SLASHES = /[/\\]{2}|\\/;

/** Whether a path has two slashes in a row, or a backslash, which browsers take for one. */
export function hasRepeatedSlashes(pathname: string): boolean {
  return REPEATED_SLASHES.test(pathname);
}

/** Whether a path is one of the API's without /v1. */
export function isApiPath(pathname: string): boolean {
  return API_PATH.test(pathname);
}

function baseUrl(): string {
  return new URL("/v1", env.APP_URL).href;
}
