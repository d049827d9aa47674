import { conceptsOf, phrasesIn } from "./concepts";
import { findNegations, type NegationCue } from "./negation";
import type { Quantity } from "./quantities";
import { readQuantities } from "./quantities";
import type { Sentence } from "./sentences";
import type { Token } from "./tokens";
import { type ContentTerm, wordOf } from "./words";

export interface SentenceAnalysis {
  tokens: Sentence;
  terms: readonly ContentTerm[];
  quantities: readonly Quantity[];
  negations: readonly NegationCue[];
  /** Whether it only states what a study set out to find, which asserts nothing. */
  isAim: boolean;
}

export function analyzeSentence(tokens: Sentence): SentenceAnalysis {
  const { quantities, consumed } = readQuantities(tokens);
  const terms = readTerms(tokens, consumed);
  const negations = findNegations(tokens, terms, consumed);
  for (const { heads } of negations) {
    for (const head of heads) {
      const term = terms[head];
      if (term) {
        term.isNegated = !term.isNegated;
      }
    }
  }
  return { tokens, terms, quantities, negations, isAim: isAim(tokens) };
}

const AIM =
  /\b(?:whether|(?:objectives?|aims?|aimed|purpose|goal|sought|intended|designed|conducted|undertaken|performed|in order) (?:\S+ ){0,6}?(?:to|was|were|is)|to (?:determine|assess|investigate|evaluate|examine|test|explore|compare|estimate|study|identify|clarify|establish)|(?:we|study|trial|review) (?:investigated?|assessed|examined|evaluated|explored|studied|tested|compared|reviewed|analy[sz]ed)|hypothesi[sz]ed?|hypothesis|(?:remains?|is|are) (?:unclear|unknown|controversial)|objectives?)\b/;

function isAim(tokens: readonly Token[]): boolean {
  return AIM.test(tokens.map(({ lower }) => lower).join(" "));
}

function readTerms(tokens: readonly Token[], consumed: ReadonlySet<number>): ContentTerm[] {
  const terms: ContentTerm[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" || consumed.has(at)) {
      continue;
    }
    // Numbers too long to parse are matched as text.
    const word = wordOf(joinedText(tokens, at));
    if (word.stem !== null) {
      const { stem, direction } = word;
      terms.push({ word, stem, direction, keys: [], token: at, isNegated: false });
    }
  }
  const phrases = phrasesIn(terms.map(({ stem }) => stem));
  for (const [index, term] of terms.entries()) {
    const phrase = phrases.get(index) ?? [];
    term.direction = phrase.length > 0 ? null : term.direction;
    term.keys = keysOf(term, [...conceptsOf(term.stem), ...phrase]);
  }
  return terms;
}

/** "Up-regulated" is one word; its first half is a stop word. */
function joinedText(tokens: readonly Token[], at: number): string {
  const text = tokens[at]?.text ?? "";
  const before = tokens[at - 2]?.lower ?? "";
  const isJoined = tokens[at - 1]?.text === "-" && /^(?:up|down|over|under)$/.test(before);
  return isJoined && /^(?:regulat|express)/.test(text) ? `${before}${text}` : text;
}

function keysOf({ stem, word, direction }: ContentTerm, concepts: readonly string[]): string[] {
  const keys = [`=${stem}`, `~${word.root}`, ...concepts];
  if (direction) {
    keys.push(directionKey(direction.axis, direction.sign));
  }
  return keys;
}

export function directionKey(axis: string, sign: number): string {
  return `^${axis}${sign}`;
}
