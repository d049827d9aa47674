import { dictionary as english } from "@zxcvbn-ts/language-en";
import { readPacks } from "@/lib/packs";
import type { SentenceAnalysis } from "./analyze-passage";
import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

/** A word of a sentence that names a drug, disease, organism, measure, person …. */
export interface Subject {
  term: ContentTerm;
  token: Token;
}

export function termKeysOf(analyses: readonly SentenceAnalysis[]): ReadonlySet<string> {
  return new Set(analyses.flatMap(({ terms }) => terms.flatMap(({ keys }) => keys)));
}

/** Without directions: "weakness" is no other word for "loss". */
export function namesOf({ keys }: ContentTerm): string[] {
  return keys.filter((key) => !key.startsWith("^"));
}

/** The subjects of a sentence without those that a key is known of. */
export function newSubjectsOf(
  { terms, tokens }: SentenceAnalysis,
  isKnown: (key: string) => boolean,
): Subject[] {
  return terms.flatMap((term) => {
    const token = tokens[term.token];
    // "Weakness" and "swelling" have a direction, and are symptoms.
    const mayName = term.direction === null || NAMES.has(token?.lower ?? "");
    const isNew = token && mayName && !namesOf(term).some(isKnown);
    return isNew && namesSubject(token, tokens[term.token - 1], tokens[term.token + 1])
      ? { term, token }
      : [];
  });
}

const MIN_LETTERS = 4;
const SUBJECTS = readPacks("subjects");
/** "Wilson disease". */
const EPONYMOUS = new Set(SUBJECTS.eponymous);
const NAMES = new Set(
  SUBJECTS.subjects.flatMap((name) => [name, `${name}s`, `${name}es`, plural(name)]),
);
const GENERAL = new Set(SUBJECTS.general);
let commonWords: ReadonlySet<string> | null = null;

function plural(name: string): string {
  return name.replace(/y$/, "ies");
}

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
  if (NAMES.has(lower.replace(/'s?$/, ""))) {
    return true;
  }
  if (text.length < MIN_LETTERS) {
    return false;
  }
  const isWithin = before?.kind === "word" && /^\p{Ll}/u.test(before.text);
  const isName = /^\p{Lu}/u.test(text) && (isWithin || EPONYMOUS.has(after?.lower ?? ""));
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
