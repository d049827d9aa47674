import { lowestBound, MEASURE_LENGTH } from "@/lib/text/intervals";
import { oncePer } from "@/lib/text/memoized";
import { type NamedRow, type NamedTables, readTables } from "@/lib/text/tables";
import { withoutUnasserted } from "@/lib/text/unasserted";
import { type KnownLanguage, type RulesLanguage, rulesLanguageOf } from "./claim-language";
import { conceptsOf, findAbbreviations, type Phrases, phrasesIn, withNames } from "./concepts";
import { type FoldedText, fold, type Replacement } from "./fold";
import { findNegations, type NegationCue } from "./negation";
import { type Quantity, readQuantities } from "./quantities";
import { type RowSentence, readRow, rowBounds } from "./row-sentence";
import { type Sentence, splitSentences } from "./sentences";
import { type Token, tokenize } from "./tokens";
import { toEnglishSpelling, toEnglishTokens } from "./translate";
import { type ContentTerm, type Word, wordOf } from "./words";

export interface AnalyzedPassage {
  passage: string;
  folded: FoldedText;
  /** The rows of its tables, which are quoted as a whole. */
  rows: readonly NamedRow[];
  analyses: readonly SentenceAnalysis[];
  /** Of each sentence; null outside tables. */
  rowSentences: readonly (RowSentence | null)[];
  /** Sentence indexes by match key, ascending. */
  sentencesByKey: ReadonlyMap<string, readonly number[]>;
  sentencesByNumber: ReadonlyMap<string, readonly number[]>;
  abbreviations: Phrases;
  /** The title and headings above it. */
  label: { text: string; analysis: SentenceAnalysis };
  /** Its own language, and the one it was analyzed in. */
  language: RulesLanguage;
  rules: KnownLanguage;
}

/** Longer titles and headings are cut. */
const MAX_LABEL_LENGTH = 400;

/**
 * `label`: the title and headings above the passage, which name its subject. Rules of another language than the
 * passage's own are for passages too short to tell. What is struck out or not checked counts as absent.
 */
export function analyzePassage(
  passage: string,
  label = "",
  rules: KnownLanguage | null = null,
): AnalyzedPassage {
  const asserted = withoutUnasserted(passage);
  const tables = readTables(asserted);
  const { rows } = tables;
  const folded = fold(asserted, nameCells(tables));
  const language = rulesLanguageOf(folded.text);
  const used = rules ?? (language === null || language === "other" ? "en" : language);
  const text = toEnglishSpelling(withoutMarkers(folded.text), used);
  const tokens = tokenize(text);
  const labelTokens = tokenize(
    toEnglishSpelling(fold(withoutUnasserted(label.slice(0, MAX_LABEL_LENGTH))).text, used),
  );
  const abbreviations =
    used === "en" ? findAbbreviations([...labelTokens, ...tokens]) : NO_ABBREVIATIONS;
  const analyze = (sentence: Sentence) =>
    withAbbreviations(analyzeSentence(toEnglishTokens(sentence, used)), abbreviations);
  const bounds = rowBounds(tokens, folded, rows);
  const analyses = splitSentences(text, tokens, bounds).map(analyze);
  const rowSentences = analyses.map((analysis) => readRow(analysis, folded, rows));
  return {
    ...{ passage, folded, rows, analyses, rowSentences, abbreviations, language, rules: used },
    label: { text: label, analysis: analyze(labelTokens) },
    sentencesByKey: indexBy(analyses, ({ terms }) => terms.flatMap(({ keys }) => keys)),
    sentencesByNumber: indexBy(analyses, ({ quantities }) => quantities.map(numberKey)),
  };
}

/** A header says nothing by itself; each cell of a row is read with its column's name. */
function nameCells({ rows, headers }: NamedTables): Replacement[] {
  const names = rows.flatMap(({ cells }) =>
    cells.flatMap(({ column, start }) =>
      column ? [{ start, end: start, said: `${fold(column).text}: ` }] : [],
    ),
  );
  const removed = headers.map((header) => ({ ...header, said: "" }));
  return [...names, ...removed].sort((one, other) => one.start - other.start);
}

const NO_ABBREVIATIONS: Phrases = new Map();

/** Equal for every way to write the same quantity. */
export function numberKey({ key, value }: Quantity): string {
  return `${key} ${value.toPrecision(6)}`;
}

/** Replaces "[3]" and "[1, 2]" with blanks, keeping every offset and the bounds of "59.6% [40-75]". */
function withoutMarkers(text: string): string {
  return text.replace(/\[\d{1,3}(?:\s{0,3}[,;-]\s{0,3}\d{1,3}){0,20}\]/g, (marker, at: number) =>
    lowestBound(text.slice(Math.max(0, at - MEASURE_LENGTH), at), marker) > 0
      ? marker
      : " ".repeat(marker.length),
  );
}

/** Adds the meanings of abbreviations that the passage defines. */
export function withAbbreviations(
  plain: SentenceAnalysis,
  abbreviations: Phrases,
): SentenceAnalysis {
  if (abbreviations.size === 0) {
    return plain;
  }
  const named = withNames(plain.tokens, abbreviations);
  const analysis = named ? analyzeSentence(named) : plain;
  const stems = analysis.terms.map(({ stem }) => stem);
  const found = phrasesIn(stems, abbreviations);
  const terms = analysis.terms.map((term, index) => {
    const concepts = found.get(index);
    const [short] = abbreviations.get(term.stem)?.filter(({ stems }) => stems.length === 1) ?? [];
    const direction = term.direction ?? short?.direction ?? null;
    const keys = [...term.keys, ...directionKeys({ direction }, 1), ...(concepts ?? [])];
    return concepts ? { ...term, direction, keys } : term;
  });
  return found.size === 0 ? analysis : { ...analysis, terms };
}

function indexBy(
  analyses: readonly SentenceAnalysis[],
  keysOf: (analysis: SentenceAnalysis) => readonly string[],
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, analysis] of analyses.entries()) {
    for (const key of keysOf(analysis)) {
      const known = places.get(key);
      if (!known) {
        places.set(key, [at]);
      } else if (known.at(-1) !== at) {
        known.push(at);
      }
    }
  }
  return places;
}

let last: { claim: string; rules: KnownLanguage; analysis: SentenceAnalysis } | null = null;

/** Analyzes a claim as one sentence. The last one is cached: it is usually judged against several passages. */
export function analyzeClaim(claim: string, rules: KnownLanguage = "en"): SentenceAnalysis {
  if (last?.claim !== claim || last.rules !== rules) {
    const said = withoutOpener(withoutMarkers(fold(withoutUnasserted(claim)).text));
    const tokens = tokenize(toEnglishSpelling(said, rules));
    last = { claim, rules, analysis: analyzeSentence(toEnglishTokens(tokens, rules)) };
  }
  return last.analysis;
}

/** What stands before a statement and states nothing: "No, …" before a denial, "The document says that …". */
const OPENER =
  /^\s*(?:(?:(?:yes|no|ja|nein|nee|oui|non|s[ií]|sì|sim|não|in short|in summary|in brief|overall|to summarize|in conclusion|therefore|thus|so|according to (?:the|this|that) (?:source|document|passage|text|article|guideline|label)s?)(?:[,:;]|\s[–—-])|(?:the|this) (?:source|document|passage|text|article|guideline|label)s? (?:says?|states?|notes?|reports?|explains?|indicates?|mentions?) that)\s+)+/iu;

/** Keeps every offset. */
function withoutOpener(text: string): string {
  return text.replace(OPENER, (opener) => " ".repeat(opener.length));
}

export interface SentenceAnalysis {
  tokens: Sentence;
  terms: readonly ContentTerm[];
  quantities: readonly Quantity[];
  negations: readonly NegationCue[];
  /** Whether it only states what a study set out to find, which asserts nothing. */
  isAim: boolean;
}

function analyzeSentence(tokens: Sentence): SentenceAnalysis {
  const { quantities, consumed } = readQuantities(tokens);
  const terms = readTerms(tokens, consumed);
  const negations = findNegations(tokens, terms, consumed);
  for (const term of negations.flatMap(({ heads }) => heads.flatMap((head) => terms[head] ?? []))) {
    term.isNegated = !term.isNegated;
  }
  const isAim = AIM.test(tokens.map(({ lower }) => lower).join(" "));
  return { tokens, terms, quantities, negations, isAim };
}

const AIM =
  /\b(?:whether|(?:objectives?|aims?|aimed|purpose|goal|sought|intended|designed|conducted|undertaken|performed|in order) (?:\S+ ){0,6}?(?:to|was|were|is)|to (?:determine|assess|investigate|evaluate|examine|test|explore|compare|estimate|study|identify|clarify|establish)|(?:we|study|trial|review) (?:investigated?|assessed|examined|evaluated|explored|studied|tested|compared|reviewed|analy[sz]ed)|hypothesi[sz]ed?|hypothesis|(?:remains?|is|are) (?:unclear|unknown|controversial)|objectives?)\b/;

function readTerms(tokens: readonly Token[], consumed: ReadonlySet<number>): ContentTerm[] {
  const terms: ContentTerm[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" || consumed.has(at)) {
      continue;
    }
    // Numbers too long to parse are matched as text.
    const word = token.word ?? wordOf(joinedText(tokens, at));
    if (word.stem !== null) {
      const { stem, direction } = word;
      terms.push({ word, stem, direction, keys: [], token: at, isNegated: false });
    }
  }
  const phrases = phrasesIn(terms.map(({ stem }) => stem));
  for (const [index, term] of terms.entries()) {
    const phrase = phrases.get(index);
    if (phrase) {
      term.direction = null;
      term.keys = [...keysOfWord(term.word).own, ...phrase];
    } else {
      term.keys = keysOfWord(term.word).all;
    }
  }
  return terms;
}

/** A word's own match keys, and those with its direction. Every occurrence shares them, which takes a third less memory. */
const keysOfWord = oncePer((word: Word) => {
  const stem = word.stem ?? "";
  const own: readonly string[] = [`=${stem}`, `~${word.root}`, ...conceptsOf(stem)];
  return { own, all: [...own, ...directionKeys(word, 1)] as readonly string[] };
});

/** "Up-regulated" is one word; its first half is a stop word. */
function joinedText(tokens: readonly Token[], at: number): string {
  const text = tokens[at]?.text ?? "";
  const before = tokens[at - 2]?.lower ?? "";
  const isJoined = tokens[at - 1]?.text === "-" && /^(?:up|down|over|under)$/.test(before);
  return isJoined && /^(?:regulat|express)/.test(text) ? `${before}${text}` : text;
}

/** The match key of a term's direction, or with `sign` −1 of the opposite one. */
export function directionKeys(
  { direction }: Pick<ContentTerm, "direction">,
  sign: 1 | -1,
): string[] {
  return direction ? [`^${direction.axis}${sign * direction.sign}`] : [];
}
