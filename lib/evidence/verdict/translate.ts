import { stopwords as dutch } from "@orama/stopwords/dutch";
import { stopwords as french } from "@orama/stopwords/french";
import { stopwords as german } from "@orama/stopwords/german";
import { stopwords as italian } from "@orama/stopwords/italian";
import { stopwords as portuguese } from "@orama/stopwords/portuguese";
import { stopwords as spanish } from "@orama/stopwords/spanish";
import { foldedWords } from "@/lib/text/fold";
import { memoized } from "@/lib/text/memoized";
import type { KnownLanguage } from "./claim-language";
import de from "./languages/de.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import nl from "./languages/nl.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };
import { type Token, tokenize } from "./tokens";
import { unitOf } from "./units";
import type { Word } from "./words";

/** A phrase, and the English words that the rules know for it. */
interface Phrase {
  words: readonly string[];
  /** The last word may go on: "increas*". */
  isPrefix: boolean;
  english: readonly string[];
}

type ForeignLanguage = Exclude<KnownLanguage, "en">;

const STOP_WORDS: Record<ForeignLanguage, readonly string[]> = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

const TABLES: Record<ForeignLanguage, Partial<Record<string, string>>> = { de, es, fr, it, nl, pt };

class LanguagePack {
  readonly #byFirst: ReadonlyMap<string, readonly Phrase[]>;
  readonly #prefixes: readonly Phrase[];
  readonly #wordOf: (lower: string) => Word | null;

  constructor(readonly language: ForeignLanguage) {
    const phrases = Object.entries(TABLES[language]).flatMap(([english, list = ""]) =>
      list.split(", ").map((phrase) => toPhrase(phrase, english.split(" "))),
    );
    const exact = phrases.filter(({ words, isPrefix }) => !isPrefix || words.length > 1);
    const longestFirst = exact.sort((one, other) => other.words.length - one.words.length);
    this.#byFirst = Map.groupBy(longestFirst, ({ words }) => words[0] ?? "");
    this.#prefixes = phrases.filter(({ words, isPrefix }) => isPrefix && words.length === 1);
    const stopWords = new Set(STOP_WORDS[language].flatMap(foldedWords));
    this.#wordOf = memoized(CACHE_SIZE, (lower) => contentWord(lower, language, stopWords));
  }

  phraseAt(tokens: readonly Token[], at: number): Phrase | null {
    const first = bare(tokens[at]?.lower ?? "");
    const phrase = this.#byFirst.get(first)?.find(({ words, isPrefix }) =>
      words.every((word, offset) => {
        const own = bare(tokens[at + offset]?.lower ?? "");
        return isPrefix && offset === words.length - 1 ? own.startsWith(word) : own === word;
      }),
    );
    return phrase ?? this.#prefixes.find(({ words }) => first.startsWith(words[0] ?? "")) ?? null;
  }

  /** Null for a word without meaning of its own. */
  wordOf(lower: string): Word | null {
    return this.#wordOf(lower);
  }
}

const CACHE_SIZE = 20_000;
const LONG_WORD = 10;
const packs = new Map<ForeignLanguage, LanguagePack>();

function packOf(language: ForeignLanguage): LanguagePack {
  const pack = packs.get(language) ?? new LanguagePack(language);
  packs.set(language, pack);
  return pack;
}

function toPhrase(phrase: string, english: readonly string[]): Phrase {
  const isPrefix = phrase.endsWith("*");
  const words = tokenize(isPrefix ? phrase.slice(0, -1) : phrase).map(({ lower }) => bare(lower));
  return { words, isPrefix, english };
}

/** Many writers leave out accents. */
function bare(word: string): string {
  return word.normalize("NFD").replace(/\p{M}+/gu, "");
}

/** Endings of number, gender and case. */
const INFLECTION = /(?<=\p{L}{4})(?:e[nmrs]?|n|[ao]?s|[aoi])$/u;

/** The stem says its language, so that "Gift" and "gift" differ. */
function contentWord(
  lower: string,
  language: ForeignLanguage,
  stopWords: ReadonlySet<string>,
): Word | null {
  const word = foldedWords(lower)[0] ?? "";
  if (word === "" || stopWords.has(word)) {
    return null;
  }
  const stem = `${language}:${word.replace(INFLECTION, "")}`;
  const weight = lower.length >= LONG_WORD ? 1.25 : 1;
  return { stem, root: stem, weight, isNegated: false, direction: null };
}

const NUMERIC = /(?<![\d.,])\d+(?:[.,]\d+)+(?![\d.,]?\d)/g;
const GROUPED = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/** Writes "1.000,5" as "1,000.5", and takes elided articles apart. Keeps every offset. */
export function toEnglishSpelling(text: string, language: KnownLanguage): string {
  if (language === "en") {
    return text;
  }
  const apart =
    language === "fr" || language === "it" ? text.replace(/(?<=\p{L})['’](?=\p{L})/gu, " ") : text;
  return apart.replace(NUMERIC, (number) =>
    GROUPED.test(number) || /^\d+,\d+$/.test(number)
      ? number.replace(/[.,]/g, (sign) => (sign === "," ? "." : ","))
      : number,
  );
}

/** Puts the rules' English words for a sentence's function words, and stems of its own language for the others. */
export function toEnglishTokens(
  tokens: readonly Token[],
  language: KnownLanguage,
): readonly Token[] {
  return language === "en" ? tokens : translateAll(tokens, packOf(language));
}

function translateAll(tokens: readonly Token[], pack: LanguagePack): Token[] {
  const translated: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const isWord = token.kind === "word" && !isUnitAt(tokens, at);
    const phrase = isWord ? pack.phraseAt(tokens, at) : null;
    if (phrase) {
      const end = tokens[at + phrase.words.length - 1]?.end ?? token.end;
      translated.push(...phrase.english.map((word) => translate(word, { ...token, end }, pack)));
    } else {
      translated.push(isWord ? withWord(token, pack) : token);
    }
    at += phrase?.words.length ?? 1;
  }
  return translated;
}

function translate(word: string, token: Token, pack: LanguagePack): Token {
  return word.startsWith("=")
    ? withWord({ ...token, lower: word.slice(1) }, pack)
    : { ...token, text: word, lower: word.toLowerCase() };
}

/** A stop word becomes one that the rules skip. */
function withWord(token: Token, pack: LanguagePack): Token {
  const word = pack.wordOf(token.lower);
  return word ? { ...token, word } : { ...token, text: "the", lower: "the" };
}

/** "10 mg", "mg/kg". "L'eau" has the letter of the liter, too. */
function isUnitAt(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  const isMeasured = before?.kind === "number" || /^[/%]$/.test(before?.text ?? "");
  return isMeasured && token !== undefined && unitOf(token.text) !== null;
}
