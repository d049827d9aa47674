import type { LatinLanguage } from "@/lib/text/languages";
import { languageOfQuestion } from "./gloss";
import misspellings from "./misspellings.json" with { type: "json" };

const CORRECT = new Map(
  Object.entries(misspellings).flatMap(([correct, wrong]) => wrong.map((each) => [each, correct])),
);
const MISSPELLED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...CORRECT.keys()].join("|")})(?![\\p{L}\\p{N}])`,
  "giu",
);

/**
 * A question in English with the words that questions are made of spelled right: "wat are the symtoms". The search
 * corrects only words that no passage has. `language`: what it is read as. "Wat is astma?" is Dutch all the same.
 */
export function respell(text: string, language: LatinLanguage): string {
  const isEnglish = language === "en" && (languageOfQuestion(text) ?? "en") === "en";
  return isEnglish
    ? text.replace(MISSPELLED, (word) => CORRECT.get(word.toLowerCase()) ?? word)
    : text;
}
