import { planRewrite } from "@/lib/answers/chat/rewriter";
import { findVerifier } from "@/lib/answers/chat/verifier";
import { AppError } from "@/lib/errors";
import { listModels, type Model } from "@/lib/models/catalogue";
import { toModelRequest } from "@/lib/models/model-request";
import { reranker } from "@/lib/models/rerank";
import { SentCalls } from "@/lib/models/sent-call";
import { createUpstreamModel } from "@/lib/models/vendor/chat";
import { env } from "@/lib/platform/env";
import type { Finding } from "./settings";

const MAX_WAIT_MS = 60_000;
const PASSAGE = "Adults should sleep seven hours or more a night.";
const CLAIM = { text: PASSAGE, ids: [1] };
const CONVERSATION = [
  { role: "user" as const, content: "What are the symptoms of asthma?" },
  { role: "assistant" as const, content: "Wheezing and shortness of breath." },
  { role: "user" as const, content: "How is it treated?" },
];

const { signal: never } = new AbortController();
const none = () => null;

/** Calls each model of MODELS once, and those with a task of their own in that task. One finding for each that doesn't work. */
export async function checkModels(): Promise<Finding[]> {
  const messages = await Promise.all([
    ...listModels().map(async (model) => ["MODELS", await saysNothing(model)] as const),
    verifierFault().then(
      (message) => [env.VERIFY_URL ? "VERIFY_URL" : "VERIFY_MODEL", message] as const,
    ),
    rewriterFault().then((message) => ["REWRITE_MODEL", message] as const),
    rerankerFault().then((message) => ["RERANK_URL", message] as const),
  ]);
  return messages.flatMap(([about, message]) =>
    message ? [{ level: "unsafe" as const, about, message }] : [],
  );
}

async function saysNothing(model: Model): Promise<string | null> {
  const { id, upstream, timeoutMs } = model;
  if (!upstream) {
    return null;
  }
  const once = { ...model, retries: 0, timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS) };
  const request = { messages: [{ role: "user" as const, content: "Say OK." }] };
  const sent = toModelRequest({ model: id, ...request, [model.limitField]: 16 }, model);
  return createUpstreamModel(once, upstream)
    .complete(sent, never)
    .then(
      () => null,
      (cause) => `${id} doesn't answer: ${reasonOf(cause)}.`,
    );
}

async function verifierFault(): Promise<string | null> {
  const verifier = findVerifier(true);
  const said = await verifier?.judge(
    [CLAIM],
    { sourceOf: () => ({ text: PASSAGE, label: "Sleep" }), placeOf: none, closestOf: none },
    { signal: never, calls: new SentCalls() },
  );
  const limit = `within VERIFY_TIMEOUT_MS (${env.VERIFY_TIMEOUT_MS} ms)`;
  const fault = verifier?.model
    ? `${verifier.model.id} doesn't judge a claim ${limit}`
    : `It doesn't judge a claim ${limit} by a label of VERIFY_LABELS`;
  return verifier && !said?.size ? `${fault}, so rules decide alone.` : null;
}

async function rewriterFault(): Promise<string | null> {
  const rewrite = planRewrite(CONVERSATION);
  return rewrite && !(await rewrite.ask(never))
    ? `${rewrite.model.id} doesn't write a usable question within REWRITE_TIMEOUT_MS (${env.REWRITE_TIMEOUT_MS} ms), so rules do it.`
    : null;
}

async function rerankerFault(): Promise<string | null> {
  const timeoutMs = env.RERANK_TIMEOUT_MS;
  const ask = reranker()?.("How long should adults sleep?", [PASSAGE, "Whales breathe air."], {
    signal: never,
    timeoutMs,
  });
  return ask
    ? ask.then(
        () => null,
        (cause) =>
          `It doesn't order passages within RERANK_TIMEOUT_MS (${timeoutMs} ms), so searches do without: ${reasonOf(cause)}.`,
      )
    : null;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AppError) {
    return cause.hint ?? cause.message.replace(/\.$/, "");
  }
  return cause instanceof Error ? cause.message : String(cause);
}
