import { termOfWord } from "@/lib/text/analyzer";
import { foldedWords } from "@/lib/text/fold";
import { languageOf } from "@/lib/text/languages";

const KNOWN = ["en", "de", "es", "fr", "it", "nl", "pt"] as const;
/** A language that the rules know. */
export type KnownLanguage = (typeof KNOWN)[number];
/** `other` for a language that the rules don't know, null if a text is too short to tell. */
export type RulesLanguage = KnownLanguage | "other" | null;

/** Enough to be sure. */
const SAMPLE_LENGTH = 600;
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu;

/** The language of a tag such as `pt-BR`. */
export function rulesLanguageOfTag(tag: string): RulesLanguage {
  const [primary] = tag.toLowerCase().split("-");
  return KNOWN.find((known) => known === primary) ?? "other";
}

export function rulesLanguageOf(text: string): RulesLanguage {
  // "CI" and "OR" are words of some languages, too.
  const sample = text.slice(0, SAMPLE_LENGTH).normalize("NFKC").replace(CAPITALS, " ");
  const language = languageOf(sample);
  if (language) {
    return KNOWN.find((known) => known === language) ?? "other";
  }
  return hasForeignLetters(sample) ? "other" : null;
}

/** Letters of Latin alphabets that none of the rules' languages use. */
const FOREIGN_LETTER =
  /[ąćęłńśźżčďěňřšťůžőűğışțșăāēīūģķļņåøđðþơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu;

/** Names with such letters occur in any language, other words don't. */
function hasForeignLetters(text: string): boolean {
  return text.split(/\s+/).some((word) => FOREIGN_LETTER.test(word) && /^\p{Ll}/u.test(word));
}

/** English prose of this many words has stop words. */
const MIN_WORDS = 8;
const MIN_STOP_WORDS = 0.06;

/** Whether a claim that the passage doesn't support is probably in a language that the rules don't know. */
export function hasNoEnglish(claim: string): boolean {
  const words = foldedWords(claim.slice(0, SAMPLE_LENGTH)).filter((word) => /^\D+$/.test(word));
  const stopWords = words.filter((word) => termOfWord(word) === null).length;
  return words.length >= MIN_WORDS && stopWords < MIN_STOP_WORDS * words.length;
}

/**
 * The languages in which a claim can be compared with a passage; none if the rules don't know one of them. Short texts
 * take the other's language. Two are easily confused in a short claim.
 */
export function languagesInCommon(claim: RulesLanguage, passage: RulesLanguage): KnownLanguage[] {
  const languages = new Set([claim ?? passage ?? "en", passage ?? claim ?? "en"]);
  return [...languages].includes("other") ? [] : ([...languages] as KnownLanguage[]);
}
