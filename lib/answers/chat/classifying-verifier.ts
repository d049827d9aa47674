import { pairKey, type Said } from "@/lib/answers/citations/model-judge";
import { type ClaimSources, canAsk, MAX_CLAIMS } from "@/lib/answers/citations/model-prompt";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import type { Claim } from "@/lib/evidence/verdict/rules-judge";
import { classifyPairs } from "@/lib/models/vendor/classify";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { withoutUnasserted } from "@/lib/text/unasserted";

/** About as much as cross-encoders read. */
const MAX_PREMISE_LENGTH = 2000;
/** A longer source is cut to start this far before the words that say most of the claim. */
const BEFORE_QUOTE = 400;

/**
 * Asks the text-classification server at VERIFY_URL whether sources entail claims, each with one source. It can't quote, so
 * the words that say most of the claim, by the rules, are its quote. Costs nothing.
 */
export function createClassifyingVerifier(url: string, asksAll: boolean) {
  const labels = env.VERIFY_LABELS.toLowerCase().split(",");
  const verdicts = new Map(labels.map((one) => one.trim().split("=") as [string, Verdict]));
  let left = MAX_CLAIMS;
  let hasFailed = false;
  return {
    model: null,
    asksAll,
    worstCaseMicros: () => 0n,
    /** Never rejects; null when the server failed or was too slow, now or earlier in the request. */
    judge: async (
      claims: readonly Claim[],
      sources: ClaimSources,
      { signal }: { signal: AbortSignal },
    ): Promise<ReadonlyMap<string, Said> | null> => {
      if (signal.aborted || hasFailed) {
        return null;
      }
      const asked = claims
        .filter(({ text, ids }) => ids.length === 1 && canAsk(text))
        .slice(0, left);
      left -= asked.length;
      const questions = asked.flatMap((claim) => questionAbout(claim, sources) ?? []);
      try {
        const pairs = questions.map(({ pair }) => pair);
        const bounds = { signal, timeoutMs: env.VERIFY_TIMEOUT_MS };
        const upstream = { url, apiKey: env.VERIFY_API_KEY };
        const found = pairs.length > 0 ? await classifyPairs(upstream, pairs, bounds) : [];
        return new Map(
          questions.flatMap(({ key, quote }, at): [string, Said][] => {
            const verdict = verdicts.get(found[at]?.toLowerCase() ?? "");
            return verdict ? [[key, { verdict, quote, reason: null }]] : [];
          }),
        );
      } catch (err) {
        hasFailed = true;
        log.warn({ err }, "verifying classifier failed");
        return null;
      }
    },
  };
}

function questionAbout({ text, ids }: Claim, { sourceOf, closestOf }: ClaimSources) {
  const [id = 0] = ids;
  const source = sourceOf(id);
  if (!source) {
    return null;
  }
  const quote = closestOf(text, id);
  const isLong = source.text.length > MAX_PREMISE_LENGTH;
  const start = isLong ? Math.max(0, (quote?.start ?? 0) - BEFORE_QUOTE) : 0;
  const shown = withoutUnasserted(source.text).slice(start, start + MAX_PREMISE_LENGTH);
  const premise = `${source.label}\n${shown}`.toWellFormed().trim();
  const pair = [premise, text.toWellFormed()] as const;
  return { pair, key: pairKey({ text, ids }), quote: quote?.text ?? null };
}
