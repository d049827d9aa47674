import type { ErrorCode } from "@/lib/errors";

/** What is known of a call that an upstream didn't answer with a completion. */
export interface UpstreamFacts {
  /** Undefined without a response, and for an error within a stream. */
  status: number | undefined;
  /** The upstream's message, code and type. */
  said: string;
  /** Of a connection that failed, such as ECONNREFUSED. */
  connectionCode: string | undefined;
}

/** Where a call went, for the operator. */
export interface UpstreamTarget {
  baseUrl: string;
  model: string;
}

/** The target as the log shows it, without credentials. */
export interface Place {
  at: string;
  model: string;
}

interface Fault {
  applies: (facts: UpstreamFacts) => boolean;
  code: ErrorCode;
  /** For the caller: nothing of the operator's address, key or model ids. */
  message: string;
  /** For the operator's log: one sentence. */
  hint: (place: Place, facts: UpstreamFacts) => string;
  /** Whether the upstream itself is failing, so that its circuit may open; unless only the operator can end it, a retry may help. */
  isFailure?: boolean;
  /** Whether only the operator can end it. */
  isFinal?: boolean;
}

const ONLY_THE_OPERATOR =
  "Only this server's operator can fix that; until then, use another model.";

const UNKNOWN_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "ERR_INVALID_URL"]);
const CONTEXT_NAMED =
  /context[ _-]?(?:length|size|window)|\bmaximum model length\b|\bprompt(?: is)? too long\b|\binput token count\b|`inputs` tokens \+/i;
const CONTEXT_EXCEEDED =
  /exceed|longer|larger|too (?:large|long)|maximum|overflow|greater|not enough|reached|must be <=/i;
const MODEL_UNKNOWN =
  /\bmodel_not_found\b|\b(?:invalid|unknown|no such) model\b|\bmodels?\b.{0,200}?(?:\bnot (?:found|exist|loaded)\b|\bnot a valid\b|n't exist)|\bno models? loaded\b/i;
/** Not of a proxy that speaks of load balancers or overload. */
const LOADING = /\bloading\b|\bwarming up\b/i;
const NO_ENDPOINT = new Set<number | undefined>([301, 302, 307, 308, 404, 405]);

/** In order: the first that applies is meant. */
const FAULTS = {
  context: {
    applies: ({ status, said }) =>
      !isRefusal(status) && CONTEXT_NAMED.test(said) && CONTEXT_EXCEEDED.test(said),
    code: "context_length_exceeded",
    message: "This model's maximum context length is less than this request needs.",
    hint: ({ at, model }) =>
      `the prompt is longer than the context of '${model}' at ${at}: set its context_length in MODELS to what the server has, or give the server a longer context`,
  },
  unknown_host: {
    applies: ({ connectionCode = "" }) => UNKNOWN_HOST.has(connectionCode),
    code: "upstream_error",
    message: `The model's server wasn't found. ${ONLY_THE_OPERATOR}`,
    hint: ({ at }, { connectionCode }) =>
      `no host has the name in ${at} (${connectionCode}): correct the address in OPENAI_BASE_URL or MODELS`,
    isFailure: true,
    isFinal: true,
  },
  unreachable: {
    applies: ({ connectionCode }) => connectionCode !== undefined,
    code: "upstream_error",
    message: "The model couldn't be reached. Try again in a moment.",
    hint: ({ at }, { connectionCode }) =>
      `nothing answers at ${at} (${connectionCode}): start the server, or correct the address in OPENAI_BASE_URL or MODELS`,
    isFailure: true,
  },
  wrong_key: {
    applies: ({ status }) => status === 401 || status === 403,
    code: "upstream_error",
    message: `The model's provider rejected this server's key. ${ONLY_THE_OPERATOR}`,
    hint: ({ at }, { status }) =>
      `${at} rejected the key (${status}): set OPENAI_API_KEY, or upstream.api_key of an entry in MODELS with its own address`,
    isFinal: true,
  },
  unknown_model: {
    applies: ({ status, said }) =>
      (status === 404 && /\bmodels?\b/i.test(said)) || (status === 400 && MODEL_UNKNOWN.test(said)),
    code: "upstream_error",
    message: `The model's provider doesn't have it. ${ONLY_THE_OPERATOR}`,
    hint: ({ at, model }, { status }) =>
      `${at} has no model '${model}' (${status}): pull or load it there, or correct its id; GET ${at}/models lists what it has`,
    isFinal: true,
  },
  wrong_path: {
    applies: ({ status, said }) => NO_ENDPOINT.has(status) || /\bunexpected endpoint\b/i.test(said),
    code: "upstream_error",
    message: `This server has a wrong address for the model. ${ONLY_THE_OPERATOR}`,
    hint: ({ at }, { status }) =>
      `${at} has no such endpoint${status ? ` (${status})` : ""}: a base URL usually ends in /v1, without /chat/completions`,
    isFinal: true,
  },
  loading: {
    applies: ({ status, said }) => status === 503 && LOADING.test(said),
    code: "upstream_error",
    message: "The model is still being loaded. Try again in a minute.",
    hint: ({ at, model }) =>
      `${at} is still loading '${model}': wait, or raise timeout_ms of its entry in MODELS`,
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** Null for a failure that needs no advice, such as a plain 500. */
export function upstreamFaultOf(facts: UpstreamFacts): ({ name: FaultName } & Fault) | null {
  for (const [name, fault] of Object.entries(FAULTS) as [FaultName, Fault][]) {
    if (fault.applies(facts)) {
      return { name, ...fault };
    }
  }
  return null;
}

/** A key or a rate says nothing of a prompt. */
function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403 || status === 404 || status === 429;
}

/** An address without credentials and query, either of which may be a key. */
export function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/$/, "")}`;
}

/** Before the number of tokens: "context size (8192 tokens)", "maximum context length of 4096"; not "exceeded by 200". */
const CONTEXT_NUMBER =
  /(?:context[ _-]?(?:length|size|window)|model length)(?:(?!\bby\b)\D){0,24}?([\d,]{2,12})|([\d,]{2,12}) maximum/i;

/** OpenAI's words for it, which clients such as LiteLLM go by, in front of the upstream's own. */
export function contextMessage(said: string, contextTokens: unknown): string {
  if (/^this model's maximum context length is/i.test(said)) {
    return said;
  }
  const [, after, before] = CONTEXT_NUMBER.exec(said) ?? [];
  const number = (after ?? before)?.replaceAll(",", "");
  const tokens = Number.isInteger(contextTokens) ? contextTokens : number;
  return tokens
    ? `This model's maximum context length is ${tokens} tokens. ${said}`
    : `${FAULTS.context.message} ${said}`;
}
