import { readPacks } from "@/lib/packs";
import { alignmentOf } from "./alignment";
import type { SentenceAnalysis } from "./analyze-passage";
import { weightOfTerms } from "./coverage";

// What a sentence says with a limit, and a claim without it.

const HEDGES = {
  modal:
    /^(?:may|might|can|could|possibly|possible|probably|perhaps|potentially|potential|suspected|suggests?|suggested|appears?|seems?|thought|believed|likely|unlikely)$/,
  share:
    /^(?:sometimes|occasionally|rarely|seldom|some|certain|often|frequently|usually|normally|generally|typically|commonly|mostly|many|most)$/,
};
const RISK =
  /^(?:risks?|associated|association|associations|linked|links?|related|correlated|correlation|predispos\w+|chances?|likelihood|likely|odds)$/;
const CAUSES = /^(?:caus(?:e|es|ed|ing)|produc(?:e|es|ed)|trigger(?:s|ed)?)$/;
const LEADS = /^(?:lead|leads|led|leading)$/;
const OPENS_PEOPLE = /^(?:in|among|for|of|with)$/;
/** "In people with diabetes of the university clinic" is about people with diabetes. */
const ENDS_PEOPLE = /^(?:in|at|of|from|by|to|than|as|and|or|[,;:.()])$/;
const PACK = readPacks("words");
const GENERIC = new Set([
  ...["people", "person", "persons", "individuals", "cases", "those"],
  ...PACK.people,
]);
const SPECIFIC = new Set(PACK.populations);
const CONDITIONS =
  /^(?:if|unless|when|whenever|only|except|until|provided|while|without|after|before)$/;
const ENDS = /^[,;:.()]$/;
/** A hedge is about one of the words after it. */
const REACH = 4;
const PHRASE = 14;
/** "In some of the older people". */
const MAX_BEFORE_NOUN = 3;
/** Share of a phrase's weight that a claim has of it. */
const KEPT = 0.5;
/** Longer than any sentence; a longer one is never compared, because that takes too long. */
const MAX_TERMS = 300;

/** For each term of a sentence, the claim's terms that mean the same. */
type ClaimTerms = ReadonlyMap<number, readonly number[]>;

/** Whether a claim leaves out a hedge, a risk, a population or a condition of the sentence that it is taken from. */
export function overclaims(
  claim: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): boolean {
  if (claim.terms.length > MAX_TERMS) {
    return true;
  }
  const makesCause = hasCause(claim) && !sentences.some(hasCause);
  return sentences.some((sentence) => {
    if (sentence.terms.length > MAX_TERMS) {
      return true;
    }
    const claimTermAt = claimTermsIn(claim, sentence);
    return (
      dropsHedge(claim, sentence, claimTermAt) ||
      dropsRisk(claim, sentence, { claimTermAt, makesCause }) ||
      dropsPhrase(claim, sentence, claimTermAt)
    );
  });
}

function claimTermsIn(claim: SentenceAnalysis, sentence: SentenceAnalysis): ClaimTerms {
  const claimTermAt = new Map<number, number[]>();
  for (const [own, found] of alignmentOf(claim, sentence).places.entries()) {
    for (const at of found) {
      claimTermAt.set(at, [...(claimTermAt.get(at) ?? []), own]);
    }
  }
  return claimTermAt;
}

function dropsHedge(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
  claimTermAt: ClaimTerms,
): boolean {
  return Object.values(HEDGES).some((hedges) => {
    const hedged = hedgedTerms(claim, hedges);
    return sentence.tokens.some(({ lower }, at) => {
      const head = hedges.test(lower) ? headAfter(sentence, at) : -1;
      const owns = claimTermAt.get(head) ?? [];
      return owns.length > 0 && !owns.some((own) => hedged.has(own));
    });
  });
}

/** The term that a hedge is about: the next one. */
function headAfter({ terms }: SentenceAnalysis, at: number): number {
  const head = terms.findIndex(({ token }) => token > at);
  return (terms[head]?.token ?? Number.POSITIVE_INFINITY) - at <= REACH ? head : -1;
}

/** The claim's terms that a hedge may be about: two after it, and one before it. */
function hedgedTerms(claim: SentenceAnalysis, hedges: RegExp): Set<number> {
  return new Set(
    claim.tokens.flatMap(({ lower }, at) => {
      if (!hedges.test(lower)) {
        return [];
      }
      const next = claim.terms.findIndex(({ token }) => token >= at);
      const head = next < 0 ? claim.terms.length : next;
      return [head - 1, head, head + 1, head + 2];
    }),
  );
}

function dropsRisk(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
  { claimTermAt, makesCause }: { claimTermAt: ClaimTerms; makesCause: boolean },
): boolean {
  const said = sentence.tokens.flatMap(({ lower }, at) => {
    const next = sentence.terms.findIndex(({ token }) => token > at);
    const isTaken = next >= 0 && [next, next + 1].some((index) => claimTermAt.has(index));
    return RISK.test(lower) && isTaken ? [at] : [];
  });
  const own = claim.tokens.flatMap(({ lower }, at) => (RISK.test(lower) ? [at] : []));
  return said.length > 0 && (makesCause || countGroups(own) < countGroups(said));
}

/** "Leads to a higher risk" is only another word for a risk. */
function hasCause({ tokens }: SentenceAnalysis): boolean {
  return tokens.some(
    ({ lower }, at) =>
      CAUSES.test(lower) ||
      (LEADS.test(lower) &&
        !tokens.slice(at + 1, at + 1 + REACH).some((token) => RISK.test(token.lower))),
  );
}

/** Words that stand together, such as "associated with a higher risk", count once. */
function countGroups(places: readonly number[]): number {
  return places.filter((place, at) => at === 0 || place - (places[at - 1] ?? 0) > REACH).length;
}

/** Whether a claim leaves out whom a sentence is about, or on which condition. */
function dropsPhrase(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
  claimTermAt: ClaimTerms,
): boolean {
  const isShared = claim.tokens.some(({ lower }) => HEDGES.share.test(lower));
  return sentence.tokens.some(({ lower }, at) => {
    if (CONDITIONS.test(lower)) {
      return isDropped(
        sentence,
        { start: at + 1, words: phraseAfter(sentence, at, ENDS) },
        claimTermAt,
      );
    }
    if (!OPENS_PEOPLE.test(lower)) {
      return false;
    }
    const words = phraseAfter(sentence, at, ENDS_PEOPLE);
    const noun = words.findIndex((word) => SPECIFIC.has(word) || GENERIC.has(word));
    if (noun < 0 || noun > MAX_BEFORE_NOUN) {
      return false;
    }
    const people = {
      start: at + 1 + noun,
      words: SPECIFIC.has(words[noun] ?? "") ? words.slice(noun, noun + 1) : [],
    };
    const isShareDropped =
      !isShared && words.slice(0, noun).some((word) => HEDGES.share.test(word));
    return (
      isShareDropped ||
      isDropped(sentence, people, claimTermAt) ||
      isDropped(sentence, { start: at + 1, words }, claimTermAt)
    );
  });
}

/** The words from a preposition or conjunction to the end of its phrase. */
function phraseAfter({ tokens }: SentenceAnalysis, at: number, ends: RegExp): string[] {
  const rest = tokens.slice(at + 1, at + PHRASE).map(({ lower }) => lower);
  const length = rest.findIndex((word) => ends.test(word));
  return length < 0 ? rest : rest.slice(0, length);
}

/** Whether a claim has less than half of what a phrase says. */
function isDropped(
  { tokens, terms }: SentenceAnalysis,
  { start, words }: { start: number; words: readonly string[] },
  claimTermAt: ClaimTerms,
): boolean {
  const telling = [...terms.entries()].filter(([, { token }]) => {
    const isInside = token >= start && token < start + words.length;
    return isInside && !GENERIC.has(tokens[token]?.lower ?? "");
  });
  const kept = telling.filter(([index]) => claimTermAt.has(index));
  const weightOf = (found: typeof telling) => weightOfTerms(found.map(([, term]) => term));
  return telling.length > 0 && weightOf(kept) < KEPT * weightOf(telling);
}
