import { readPacks } from "@/lib/packs";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import contrasts from "./contrasts.json" with { type: "json" };
import { isClose } from "./coverage";
import type { Evidence } from "./evidence";
import qualifiers from "./qualifiers.json" with { type: "json" };
import type { Token } from "./tokens";
import { wordOf } from "./words";

/** Which of the alternatives of a group a word or phrase names. They rule each other out. */
interface Alternative {
  group: number;
  alternative: number;
  /** The stems of a phrase's words. */
  stems: readonly string[];
}

type Table = ReadonlyMap<string, readonly Alternative[]>;

const PACK = readPacks("contrasts");
/** Men and women, urban and rural, mild and severe. */
const KINDS = readTable([...contrasts, ...PACK.kinds]);
/** Quantifiers, modal verbs, conjunctions and more, which only tell in a sentence that is repeated. */
const QUALIFIERS = readTable([...qualifiers, ...PACK.qualifiers]);

function readTable(groups: readonly (readonly (readonly string[])[])[]): Table {
  const all = groups.flatMap((alternatives, group) =>
    alternatives.flatMap((phrases, alternative) =>
      phrases.map((phrase) => ({ group, alternative, stems: phrase.split(" ").map(stemIn) })),
    ),
  );
  const longestFirst = all.sort((one, other) => other.stems.length - one.stems.length);
  return Map.groupBy(longestFirst, ({ stems }) => stems[0] ?? "");
}

/** Stop words are their own stems. */
function stemIn(word: string): string {
  return wordOf(word).stem ?? word;
}

/**
 * Whether a claim names one of several alternatives and the sentences only another: men for women, oral for intravenous,
 * mild for severe. In other words than theirs, the title may name it for them. If it repeats a sentence, also whether it
 * exchanges "some" for "all", "may" for "must", or "or" for "and".
 */
export function namesAlternative(
  claim: SentenceAnalysis,
  { label }: AnalyzedPassage,
  { repeated, analyses }: Evidence,
): boolean {
  const close = repeated.length > 0 ? repeated : analyses.filter((one) => isClose(claim, one));
  const isChanged = [KINDS, QUALIFIERS].some((table) =>
    isExchanged(alternativesIn(table, [claim]), alternativesIn(table, close)),
  );
  if (isChanged || repeated.length > 0) {
    return isChanged;
  }
  const own = alternativesIn(KINDS, [claim]);
  if (own.size === 0) {
    return false;
  }
  const said = alternativesIn(KINDS, analyses);
  const known = alternativesIn(KINDS, [...analyses, label.analysis]);
  return [...own].some(([group, named]) => {
    const isKnown = [...named.keys()].some((alternative) => known.get(group)?.has(alternative));
    const others = [...(said.get(group)?.keys() ?? [])];
    return !isKnown && others.some((alternative) => !named.has(alternative));
  });
}

/** How often sentences name each alternative, by group. */
type Alternatives = Map<number, Map<number, number>>;

function alternativesIn(table: Table, sentences: readonly SentenceAnalysis[]): Alternatives {
  const found: Alternatives = new Map();
  for (const { group, alternative } of sentences.flatMap((one) => namedIn(table, one))) {
    const counts = found.get(group) ?? new Map<number, number>();
    counts.set(alternative, (counts.get(alternative) ?? 0) + 1);
    found.set(group, counts);
  }
  return found;
}

/** Units of numbers are compared with them, and "A, B, or C" may well be "A, B, and C". */
function namedIn(table: Table, { tokens, quantities }: SentenceAnalysis): Alternative[] {
  const measured = new Set(
    quantities.flatMap(({ first, next }) =>
      Array.from({ length: next - first }, (_, offset) => first + offset),
    ),
  );
  const stems = tokens.map((token, at) => {
    const isListed = tokens[at - 1]?.text === "," && /^(?:and|or)$/.test(token.lower);
    return measured.has(at) || isListed ? "" : stemOfToken(token);
  });
  const found: Alternative[] = [];
  for (let at = 0; at < stems.length; ) {
    const named = (table.get(stems[at] ?? "") ?? []).filter(({ stems: phrase }) =>
      phrase.every((stem, offset) => stems[at + offset] === stem),
    );
    const longest = named[0]?.stems.length ?? 1;
    found.push(...named.filter((one) => one.stems.length === longest));
    at += longest;
  }
  return found;
}

function stemOfToken({ word, text, lower }: Token): string {
  return word ? "" : (wordOf(text).stem ?? lower);
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
