import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import { createUpstreamReranker, type RerankUpstream } from "./vendor/rerank";

/** One score per text, in their order; null for a text without one. Throws if the model is late or fails. */
export type Reranker = ReturnType<typeof createUpstreamReranker>;

const state = processSingleton("reranker", (): { opened?: Reranker | null } => ({}));

/** The configured reranker, or null. */
export function reranker(): Reranker | null {
  state.opened ??= openReranker({
    url: env.RERANK_URL,
    apiKey: env.RERANK_API_KEY,
    model: env.RERANK_MODEL,
  });
  return state.opened;
}

/** For tests; undefined restores the configured one. */
export function replaceReranker(upstream: RerankUpstream | undefined): void {
  if (upstream) {
    state.opened = openReranker(upstream);
  } else {
    delete state.opened;
  }
}

function openReranker({ url, ...rest }: Partial<RerankUpstream>): Reranker | null {
  return url ? createUpstreamReranker({ url, apiKey: rest.apiKey, model: rest.model }) : null;
}
