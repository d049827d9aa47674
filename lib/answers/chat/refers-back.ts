import { foldedWords } from "@/lib/text/fold";
import { isStopWord, LATIN_LANGUAGES, type LatinLanguage } from "@/lib/text/languages";
import table from "./referring-words.json" with { type: "json" };

interface Referring {
  /** How a message that adds to the one before it begins: "Und bei Kindern?". */
  addition: RegExp;
  /** Words that stand for something outside their sentence. */
  refers: RegExp;
  /** Where such words stand for nothing: "es gibt". */
  unless: RegExp;
  /** Words that ask about a subject without naming one. */
  neutral: ReadonlySet<string>;
}

const none = "(?!)";
const wordsLike = (pattern: string, flags: string) =>
  new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, flags);

const REFERRING = new Map<LatinLanguage, Referring>(
  Object.entries(table).map(([language, { starts, prepositions, refers, unless, neutral }]) => {
    // German capitals tell nouns and the formal "Sie" from other words.
    const flags = language === "de" ? "gu" : "giu";
    const short = `(?:\\s+\\S+){1,3}\\s*\\??$`;
    return [
      language as LatinLanguage,
      {
        addition: new RegExp(
          `^[¿¡\\s]*${starts}(?:\\s+(?:${prepositions})(?!\\p{L})|${short})`,
          "iu",
        ),
        refers: wordsLike(refers.join("|"), flags),
        unless: wordsLike(unless.join("|") || none, flags),
        neutral: new Set(foldedWords(neutral)),
      },
    ];
  }),
);

/** Shorter words are rarely a subject. */
const MIN_SUBJECT_LENGTH = 3;

/**
 * Whether a message in one of the languages other than English refers to those before it, by a word that nothing in it
 * explains. A hint: it is not made into another query. `earlier` tells the language of a message that is too short to.
 */
export function refersBack(text: string, earlier: string): boolean {
  return likelyLanguages(`${earlier}\n${text}`).some((language) => refersIn(language, text));
}

/** Spanish and Portuguese, say, share most of their short words. */
const NEARLY = 0.75;

/** Those with the most stop words in a text; none if it is English. */
function likelyLanguages(text: string): LatinLanguage[] {
  const words = foldedWords(text);
  const counted = LATIN_LANGUAGES.map((language) => ({
    language,
    count: words.filter((word) => isStopWord(word, language)).length,
  }));
  const most = Math.max(...counted.map(({ count }) => count));
  const isEnglish = counted.some(({ language, count }) => language === "en" && count === most);
  return isEnglish
    ? []
    : counted.flatMap(({ language, count }) => (count >= NEARLY * most ? [language] : []));
}

function refersIn(language: LatinLanguage, text: string): boolean {
  const referring = REFERRING.get(language);
  if (!referring) {
    return false;
  }
  const { addition, refers, unless } = referring;
  const written = /^(?:Sie|Ihr)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
  const empty = [...written.matchAll(unless)].map(rangeOf);
  const pointer = [...written.matchAll(refers)]
    .map(rangeOf)
    .find(({ start, end }) => !empty.some((each) => each.start <= start && end <= each.end));
  return (
    addition.test(text) ||
    (pointer !== undefined && !namesSubject(written.slice(0, pointer.start), language, referring))
  );
}

function namesSubject(text: string, language: LatinLanguage, { neutral }: Referring): boolean {
  return language === "de"
    ? /(?<!\p{L})\p{Lu}\p{L}/u.test(
        text.replaceAll(/(?<!\p{L})(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})/gu, ""),
      )
    : foldedWords(text).some(
        (word) =>
          word.length >= MIN_SUBJECT_LENGTH && !neutral.has(word) && !isStopWord(word, language),
      );
}

function rangeOf({ 0: { length }, index }: RegExpExecArray) {
  return { start: index, end: index + length };
}
