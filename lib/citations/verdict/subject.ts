import { dictionary as english } from "@zxcvbn-ts/language-en";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { sharedWeight } from "./coverage";
import subjectWords from "./subject-words.json" with { type: "json" };
import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

/**
 * Whether a claim names a subject (a drug, disease, organism, measure, person …) that is in neither the passage nor
 * its title: `absent`, or `replaced` if the claim repeats a sentence with this subject instead of the sentence's own.
 */
export type SubjectConflict = "absent" | "replaced";

export function subjectConflict(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): SubjectConflict | null {
  const near = evidence.filter(
    ({ terms }) =>
      sharedWeight(terms, claim.terms) >= NEAR && sharedWeight(claim.terms, terms) >= NEAR,
  );
  const known = keysOf([analyzed.label.analysis, ...near]);
  const unnamed = subjectsOf(claim, (key) => known.has(key)).slice(0, MAX_SUBJECTS);
  const isReplaced =
    analyzed.rules === "en" &&
    unnamed.length > 0 &&
    namesAnother(claim, near) &&
    !unnamed.every(isAliasIn(analyzed));
  if (isReplaced) {
    return "replaced";
  }
  const absent = unnamed.filter(
    ({ term }) => !term.keys.some((key) => analyzed.sentencesByKey.has(key)),
  );
  const isSpelledOut = absent.length > 0 ? abbreviationsIn(claim, analyzed) : null;
  return absent.some((subject) => !isSpelledOut?.(subject)) ? "absent" : null;
}

/** From this shared weight on, a claim says what a sentence says, maybe about something else. */
const NEAR = 0.7;
/** Bounds the time on long claims. */
const MAX_SUBJECTS = 24;

interface Subject {
  term: ContentTerm;
  token: Token;
}

function keysOf(analyses: readonly SentenceAnalysis[]): ReadonlySet<string> {
  return new Set(analyses.flatMap(({ terms }) => terms.flatMap(({ keys }) => keys)));
}

/** The subjects of a sentence without those that a key is known of. */
function subjectsOf(
  { terms, tokens }: SentenceAnalysis,
  isKnown: (key: string) => boolean,
): Subject[] {
  return terms.flatMap((term) => {
    const token = tokens[term.token];
    const isNew = token && term.direction === null && !term.keys.some(isKnown);
    return isNew && namesSubject(token, tokens[term.token - 1], tokens[term.token + 1])
      ? { term, token }
      : [];
  });
}

/** Whether the repeated sentences name a subject that the claim leaves out. */
function namesAnother(claim: SentenceAnalysis, repeated: readonly SentenceAnalysis[]): boolean {
  const claimKeys = keysOf([claim]);
  return repeated.some((analysis) => subjectsOf(analysis, (key) => claimKeys.has(key)).length > 0);
}

/** "Wilson disease". */
const EPONYMOUS = /^(?:syndrome|disease|disorder|lymphoma|tumor)$/;
const MIN_LETTERS = 4;
const NAMES = new Set(subjectWords.subjects.split(" "));
const GENERAL = new Set(subjectWords.general.split(" "));
let commonWords: ReadonlySet<string> | null = null;

/** The lists are by frequency; further down, they have names of diseases and drugs. */
const LIST_SIZES = { "commonWords-en": 20_000, "wikipedia-en": 10_000 } as const;

/** Common English, which names no subject by itself. Takes some milliseconds the first time. */
function isCommon(word: string): boolean {
  commonWords ??= new Set(
    (["commonWords-en", "wikipedia-en"] as const).flatMap((list) =>
      english[list].slice(0, LIST_SIZES[list]),
    ),
  );
  return commonWords.has(word);
}

/** Endings that keep a word common: "reprogrammed" is as common as "reprogram". */
const ENDINGS = /(?:'s|s|es|ed|d|ing|ly|er|ers|or|al|ally|ness|able|ity|ation|ment)$/;
const PREFIX =
  /^(?:un|non|re|pre|post|over|under|inter|co|anti|multi|self|mis|out|sub)-?(?=[a-z]{4})/;

/** Whether a word names a subject rather than describing one. */
function namesSubject(
  { text, lower, word }: Token,
  before: Token | undefined,
  after: Token | undefined,
): boolean {
  if (word) {
    // Without synonyms and common words of its language, any content word may be a subject.
    return text.length >= MIN_LETTERS;
  }
  // Names such as "IL6" and "HbA1c".
  if (/^\p{L}.*[\d\p{Lu}]/u.test(text)) {
    return text.length > 1;
  }
  if (text.length < MIN_LETTERS) {
    return false;
  }
  const singular = lower.replace(/'?s$/, "");
  if (NAMES.has(lower) || NAMES.has(singular)) {
    return true;
  }
  const isWithin = before?.kind === "word" && /^\p{Ll}/u.test(before.text);
  const isName = /^\p{Lu}/u.test(text) && (isWithin || EPONYMOUS.test(after?.lower ?? ""));
  return isName || !isGeneral(lower);
}

function isGeneral(word: string): boolean {
  const bare = word.replace(PREFIX, "");
  const forms = [word, bare].flatMap((form) => {
    const stem = form.replace(ENDINGS, "");
    return [form, stem, `${stem}e`, stem.replace(/(.)\1$/, "$1"), stem.replace(/i$/, "y")];
  });
  return forms.some(
    (form) =>
      form.length >= MIN_LETTERS - 1 && !NAMES.has(form) && (GENERAL.has(form) || isCommon(form)),
  );
}

const MAX_LETTERS = 6;
const INITIALS = /^\p{Lu}{3,6}s?$/u;

/** Finds "BMI" for "body mass index", and the other way around, where the passage doesn't define it. */
function abbreviationsIn(
  claim: SentenceAnalysis,
  { analyses, label }: AnalyzedPassage,
): (subject: Subject) => boolean {
  const all = [label.analysis, ...analyses];
  const spelled = all.map(initialsOf);
  const names = new Set(
    all.flatMap(({ tokens }) =>
      tokens.flatMap(({ text, lower }) => (INITIALS.test(text) ? lower.replace(/s$/, "") : [])),
    ),
  );
  const own = initialsOf(claim);
  return ({ token, term }) => {
    if (INITIALS.test(token.text)) {
      const letters = token.lower.replace(/s$/, "");
      return spelled.some((initials) => initials.includes(letters));
    }
    const at = claim.terms.indexOf(term);
    return [...names].some((name) => {
      const found = own.indexOf(name, Math.max(0, at - MAX_LETTERS));
      return found >= 0 && found <= at && at < found + name.length;
    });
  };
}

/** The initials of a sentence's content words. */
function initialsOf({ terms, tokens }: SentenceAnalysis): string {
  return terms.map(({ token }) => tokens[token]?.lower.charAt(0) ?? "").join("");
}

const ALIAS_CUE = /^(?:called|known|named|brand|brands|trade|aka|or|abbreviated)$/;

/** Whether the passage gives a name as another name: "acetaminophen (Tylenol)", "also called …". */
function isAliasIn({ analyses }: AnalyzedPassage): (subject: Subject) => boolean {
  return ({ term }) =>
    analyses.some(({ terms, tokens }) => {
      const found = terms.find(({ stem }) => stem === term.stem);
      const before = found ? tokens.slice(0, found.token) : [];
      return before.some(({ text, lower }) => text === "(" || ALIAS_CUE.test(lower));
    });
}
