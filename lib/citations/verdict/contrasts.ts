import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import contrasts from "./contrasts.json" with { type: "json" };
import type { Evidence } from "./evidence";
import { stemOf } from "./words";

/** By stem: the group of alternatives that rule each other out, and which of them the word names. */
const ALTERNATIVES = new Map(
  contrasts.flatMap((group, at) =>
    group.flatMap((words, alternative) =>
      words.flatMap((word) => {
        const stem = stemOf(word);
        return stem === null ? [] : [[stem, { group: at, alternative }] as const];
      }),
    ),
  ),
);

/**
 * Whether a claim names one of several alternatives and the sentences only another: men for women, oral for intravenous,
 * mild for severe. In other words than theirs, the title may name it for them.
 */
export function namesAlternative(
  claim: SentenceAnalysis,
  { label }: AnalyzedPassage,
  { repeated, analyses }: Evidence,
): boolean {
  const own = alternativesIn([claim]);
  if (own.size === 0) {
    return false;
  }
  if (repeated.length > 0) {
    return isExchanged(own, alternativesIn(repeated));
  }
  const said = alternativesIn(analyses);
  const known = alternativesIn([...analyses, label.analysis]);
  return [...own].some(([group, named]) => {
    const isKnown = [...named.keys()].some((alternative) => known.get(group)?.has(alternative));
    const others = [...(said.get(group)?.keys() ?? [])];
    return !isKnown && others.some((alternative) => !named.has(alternative));
  });
}

/** How often sentences name each alternative, by group. */
type Alternatives = Map<number, Map<number, number>>;

function alternativesIn(sentences: readonly SentenceAnalysis[]): Alternatives {
  const found: Alternatives = new Map();
  for (const { stem } of sentences.flatMap(({ terms }) => terms)) {
    const named = ALTERNATIVES.get(stem);
    if (named) {
      const counts = found.get(named.group) ?? new Map<number, number>();
      counts.set(named.alternative, (counts.get(named.alternative) ?? 0) + 1);
      found.set(named.group, counts);
    }
  }
  return found;
}

/** Whether the claim has one alternative more often than the sentences it repeats, and another less often. */
function isExchanged(own: Alternatives, said: Alternatives): boolean {
  return [...own].some(([group, named]) => {
    const others = said.get(group) ?? new Map<number, number>();
    const surplus = (counts: typeof others, less: typeof others) =>
      [...counts].some(([alternative, times]) => times > (less.get(alternative) ?? 0));
    return surplus(named, others) && surplus(others, named);
  });
}
