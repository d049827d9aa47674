import type { DelimitedSource } from "@/lib/text/delimiters";
import { type Language, type LatinLanguage, languageOf } from "@/lib/text/languages";
import { memoized } from "@/lib/text/memoized";
import { withColumnNames } from "@/lib/text/tables";
import {
  featuresOf,
  LABEL_SEPARATOR,
  type ReadQuestion,
  type ReadSentence,
  readLabel,
  readSentence,
  type Weigh,
} from "./likelihood";
import { splitUnits, type Unit } from "./units";

/** A sentence, list or table row of a source. */
export interface Candidate extends ReadSentence {
  /** One, or the items of a short list. */
  units: readonly [Unit, ...Unit[]];
  source: DelimitedSource;
  rank: number;
}

export interface Corpus {
  candidates: readonly Candidate[];
  weigh: Weigh;
  /** Of all sources, also those that weren't read. */
  languages: ReadonlySet<Language>;
}

/** Bounds on the work, whatever the sources contain. Retrieval with default settings stays below them. */
const SOURCES = 50;
const SOURCE_CHARACTERS = 20_000;
const CORPUS_CHARACTERS = 400_000;
const UNITS = 6000;
/** Longer ones have no sentences to quote. */
const UNIT_CHARACTERS = 4000;
/** Longer lists are quoted item by item. */
const LIST_CHARACTERS = 600;
const LEAD_CHARACTERS = 500;
/** Minimum weight, so that a question made of ubiquitous terms can still be answered. */
const MIN_WEIGHT = 1;
/** Begins or ends within a sentence. */
const CUT = /^\p{Ll}+[\s,;]|[,;:]$/u;
const REFERENCE =
  /\bhttps?:|\bwww\.|\bdictionary\b|\b(?:more|further|additional|detailed) information\b|^(?:also,? |please )?(?:see|visit|click|check out|read|watch|browse|contact|ask)\b|\b(?:this|the following|next|previous) (?:section|page|chapter|document|article|table|video|list)\b|\bis available (?:at|from|on|below)\b/i;
/** Only the best sentences, by what they have of the question, are compared. */
const COMPARED = 60;

/** Reads as much of the sources in a language as the bounds allow, the first ones first. */
export function readCorpus(all: readonly DelimitedSource[], language: LatinLanguage): Corpus {
  const spoken = all.map((source) => languageOf(source.text));
  const candidates: Candidate[] = [];
  let left = CORPUS_CHARACTERS;
  for (const [rank, source] of all.slice(0, SOURCES).entries()) {
    if (language !== "en" && (spoken[rank] ?? language) !== language) {
      continue;
    }
    const text = source.text.slice(0, Math.min(SOURCE_CHARACTERS, left));
    left -= text.length;
    const labelOf = memoized(UNITS, (label) => readLabel(label, language));
    for (const units of passagesIn(text).slice(0, UNITS - candidates.length)) {
      const [{ lead, heading }] = units;
      const said = units.map((unit) => unit.text).join("\n");
      const read = readSentence(
        isIntroduced(lead) ? `${lead}\n${said}` : said,
        labelOf(labelText(source, heading)),
        language,
      );
      candidates.push({ ...read, units, source, rank });
    }
  }
  return {
    candidates,
    weigh: rarityIn(candidates),
    languages: new Set(spoken.flatMap((each) => each ?? [])),
  };
}

/** A source's title, and the heading above a sentence of it. */
function labelText({ title }: DelimitedSource, heading: string | null): string {
  return heading === null ? title : title + LABEL_SEPARATOR + heading;
}

/** Sentences one by one, and short lists whole, which answer together. */
function passagesIn(text: string): [Unit, ...Unit[]][] {
  const passages: [Unit, ...Unit[]][] = [];
  let length = 0;
  for (const unit of splitUnits(withColumnNames(text))) {
    const last = passages.at(-1);
    const isNext = last?.[0].list === unit.list && last[0].lead === unit.lead;
    if (last && isNext && isIntroduced(unit.lead) && length + unit.text.length <= LIST_CHARACTERS) {
      last.push(unit);
      length += unit.text.length;
    } else if (unit.text.length <= UNIT_CHARACTERS) {
      passages.push([unit]);
      length = unit.text.length;
    }
  }
  return passages;
}

/** Whether a line introduces a list, unlike the header of a table. */
function isIntroduced(lead: string | null): boolean {
  return lead !== null && lead.length <= LEAD_CHARACTERS && lead.endsWith(":");
}

/** Weighs a term by how few of the sentences have it, with what stands above them. */
function rarityIn(candidates: readonly Candidate[]): Weigh {
  const counts = new Map<string, number>();
  for (const { own, label } of candidates) {
    for (const term of new Set([...own, ...label.title, ...label.headings])) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return (term) => {
    const count = counts.get(term) ?? 0;
    return MIN_WEIGHT + Math.log(1 + (candidates.length - count + 0.5) / (count + 0.5));
  };
}

/** What is known of the sentences that have most of a question, each beside the others. */
export function describeCandidates(question: ReadQuestion, { candidates, weigh }: Corpus) {
  const described = candidates
    .map((candidate) => ({ candidate, features: featuresOf(question, candidate, weigh) }))
    .filter(({ candidate, features }) => features.own > 0 && isQuotable(candidate))
    .sort((one, other) => scoreOf(other.features) - scoreOf(one.features))
    .slice(0, COMPARED);
  const owns = described.map(({ features }) => features.own).sort((one, other) => other - one);
  const [most = 0, second = 0] = owns;
  const known = new Set(
    candidates.flatMap(({ own, label }) => [...own, ...label.title, ...label.headings]),
  );
  const weights = question.terms.map((term) => (known.has(term) ? 0 : weigh(term)));
  const total = question.terms.reduce((sum, term) => sum + weigh(term), 0) || 1;
  const absent = weights.reduce((sum, weight) => sum + weight, 0) / total;
  return described.map(({ candidate, features }) => ({
    candidate,
    features: {
      ...features,
      own_of_most: features.own / (most || 1),
      own_over_second: features.own - second,
      rank: candidate.rank / 10,
      opening: 1 / (1 + candidate.units[0].index),
      listed: Number(candidate.units[0].list !== null),
      absent,
      direct_absent: Number(!question.isStory) * absent,
    },
  }));
}

/** Whether a sentence says something by itself, rather than where to read about it. */
export function isQuotable({ text, units: [{ list }] }: Candidate): boolean {
  return !text.endsWith("?") && !(list === null && CUT.test(text)) && !REFERENCE.test(text);
}

function scoreOf({ own, any }: { own: number; any: number }): number {
  return 2 * own + any;
}

/** How the sentence at an index compares with the others, and with none of them being an answer. */
export function comparisonFeatures(sums: readonly number[], at: number) {
  const powers = sums.map((each) => Math.exp(Math.max(-30, Math.min(30, each))));
  const all = powers.reduce((total, power) => total + power, 1);
  return { sum: sums[at] ?? 0, share: (powers[at] ?? 0) / all, sentences: Math.log(sums.length) };
}
