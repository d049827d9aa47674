import { foldedWords } from "@/lib/text/fold";
import { isStopWord, type Language, type LatinLanguage, languageOf } from "@/lib/text/languages";
import { memoized } from "@/lib/text/memoized";
import { stemOfFolded } from "@/lib/text/stems";
import de from "./languages/de.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import nl from "./languages/nl.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };

/** For each English word or phrase of the rules, what says the same: "Diagnos*", "*behandlung", "wie lange". */
type Pack = Readonly<Partial<Record<string, string>>>;
type ForeignLanguage = Exclude<LatinLanguage, "en">;

const PACKS: Record<ForeignLanguage, Pack> = { de, es, fr, it, nl, pt };
const MAX_PHRASE_WORDS = 5;
/** What a word adds to the start of another, as in "Asthmabehandlung". */
const MIN_HEAD_LENGTH = 3;
const MIN_START_LENGTH = 3;
const CACHE_SIZE = 20_000;
const QUESTION_CHARACTERS = 300;
const MIN_KNOWN = 2;
const WITHOUT_ACCENT = 0.5;

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*/gu;
/** "COPD", "HbA1c", "mmHg". */
const NAME = /.\p{Lu}|\p{N}/u;
/** Of "Crohn's disease", which is no French elision. */
const POSSESSIVE = /['’]s(?!\p{L})/gu;
const BETWEEN = /^[\s'’-]*$/;

interface Glossary {
  phrases: ReadonlyMap<string, string>;
  /** The phrases with their accents. */
  written: ReadonlySet<string>;
  /** By the start and by the end of words. */
  starts: ReadonlyMap<string, string>;
  ends: ReadonlyMap<string, string>;
  /** The English for a single folded word; its stem if the rules don't know it, nothing for a stop word. */
  read: (word: string) => string;
  /** Whether the rules know a single folded word, or it is a stop word. */
  knows: (word: string) => boolean;
}

const glossaries = new Map<ForeignLanguage, Glossary>();

/**
 * A text with the words that the rules know in English, the others as stems, and without stop words. Rules that are
 * written for English then read questions and passages of other languages as well.
 */
export function gloss(text: string, language: LatinLanguage): string {
  if (language === "en") {
    return text;
  }
  const glossary = glossaryOf(language);
  let [glossed, end] = ["", 0];
  for (const { words, english } of segmentsOf(readPlaces(text), glossary)) {
    const [first] = words;
    const name = NAME.test(first.written) ? first.written : null;
    glossed += text.slice(end, first.index) + (english ?? name ?? glossary.read(first.folded));
    end = words.at(-1)?.end ?? end;
  }
  const plain = (glossed + text.slice(end)).replace(/['’]/g, " ").replace(/[^\S\n]+/g, " ");
  return capitalized(plain.trim(), text);
}

interface WrittenWord {
  written: string;
  folded: string;
  index: number;
  end: number;
}

/** A phrase that the rules know, with the English for it, or else a single word. */
interface Segment {
  words: [WrittenWord, ...WrittenWord[]];
  english: string | null;
}

/** A word of a text, and the phrases that may begin with it, longest first; they end where more than a blank follows. */
interface Place {
  word: WrittenWord;
  phrases: readonly { length: number; folded: string }[];
}

/** The same for every language. */
function readPlaces(text: string): Place[] {
  const words = [...text.matchAll(WORD)].map(({ 0: written, index }) => ({
    ...{ written, index, end: index + written.length },
    folded: foldedWords(written).join(" "),
  }));
  return words.map((word, at) => {
    const phrases = [{ length: 1, folded: word.folded }];
    for (let length = 2; length <= MAX_PHRASE_WORDS; length += 1) {
      const [before, next] = [words[at + length - 2], words[at + length - 1]];
      if (!before || !next || !BETWEEN.test(text.slice(before.end, next.index))) {
        break;
      }
      phrases.unshift({ length, folded: `${phrases[0]?.folded} ${next.folded}` });
    }
    return { word, phrases };
  });
}

function* segmentsOf(places: readonly Place[], { phrases: known }: Glossary): Generator<Segment> {
  for (let at = 0; at < places.length; ) {
    const phrase = places[at]?.phrases.find(({ folded }) => known.has(folded));
    const length = phrase?.length ?? 1;
    const [first, ...rest] = places.slice(at, at + length).map(({ word }) => word);
    if (first) {
      const english = phrase ? (known.get(phrase.folded) ?? null) : null;
      yield { words: [first, ...rest], english };
    }
    at += length;
  }
}

/**
 * The language of a question, which may be too short for its stop words alone to tell: the one that knows most of its
 * words, with their accents.
 */
export function languageOfQuestion(text: string): Language | null {
  const start = text.slice(0, QUESTION_CHARACTERS).replace(POSSESSIVE, "").toLowerCase();
  if (start.trimStart().startsWith("¿")) {
    return "es";
  }
  const places = readPlaces(start);
  const foreign = (Object.keys(PACKS) as ForeignLanguage[]).map((language) => ({
    language,
    known: knownIn(start, places, language),
  }));
  const words = foldedWords(start);
  const english = words.filter((word) => isStopWord(word, "en")).length;
  const [first, second] = [{ language: "en" as const, known: english }, ...foreign].sort(
    (one, other) => other.known - one.known,
  );
  const least = Math.max(MIN_KNOWN, words.length / 2);
  const isClear = first && first.known >= least && first.known > (second?.known ?? 0);
  return isClear ? first.language : languageOf(text);
}

/** How many words of a text a language knows. Without their accents, they count less. */
function knownIn(text: string, places: readonly Place[], language: ForeignLanguage): number {
  const glossary = glossaryOf(language);
  return segmentsOf(places, glossary).reduce((sum, { words, english }) => {
    const [{ folded, index }] = words;
    if (english !== null) {
      const isExact = glossary.written.has(text.slice(index, words.at(-1)?.end));
      return sum + words.length * (isExact ? 1 : WITHOUT_ACCENT);
    }
    return sum + Number(glossary.knows(folded));
  }, 0);
}

/** A sentence keeps its capital: without it, it would pass for the rest of a cut one. */
function capitalized(glossed: string, { 0: first = "" }: string): string {
  return /\p{Lu}/u.test(first) ? glossed.charAt(0).toUpperCase() + glossed.slice(1) : glossed;
}

function glossaryOf(language: ForeignLanguage): Glossary {
  const known = glossaries.get(language);
  if (known) {
    return known;
  }
  const entries = Object.entries(PACKS[language]).flatMap(([english, list = ""]) =>
    list.split(", ").map((form) => ({ english, form, folded: foldedPhrase(form) })),
  );
  const mapOf = (isKind: (form: string) => boolean): ReadonlyMap<string, string> =>
    new Map(
      entries.flatMap(({ english, form, folded }) => (isKind(form) ? [[folded, english]] : [])),
    );
  const glossary = {
    phrases: mapOf((form) => !form.includes("*")),
    written: new Set(entries.map(({ form }) => form.toLowerCase())),
    starts: mapOf((form) => form.endsWith("*")),
    ends: mapOf((form) => form.startsWith("*")),
  };
  const read = memoized(CACHE_SIZE, (word) => readWord(glossary, language, word));
  const made = {
    ...glossary,
    read,
    knows: memoized(CACHE_SIZE, (word) => read(word) !== stemOfFolded(word, language)),
  };
  glossaries.set(language, made);
  return made;
}

/** Words as they are read in a text: "qu'est-ce que" has four. */
function foldedPhrase(form: string): string {
  return foldedWords(form.replace(/['’]/g, " ")).join(" ");
}

/** "Sarcoidosis" and "amyloidosis" are no doses, though "dosis" is one in Dutch and Spanish. */
const NAME_OF_DISEASE = /oidosis$/;

function readWord(
  { starts, ends }: Pick<Glossary, "starts" | "ends">,
  language: ForeignLanguage,
  word: string,
): string {
  for (let end = word.length; end >= MIN_START_LENGTH; end -= 1) {
    const english = starts.get(word.slice(0, end));
    if (english !== undefined) {
      return english;
    }
  }
  const lastStart = NAME_OF_DISEASE.test(word) ? 0 : word.length - MIN_START_LENGTH;
  for (let start = MIN_HEAD_LENGTH; start <= lastStart; start += 1) {
    const english = ends.get(word.slice(start));
    if (english !== undefined) {
      return `${stemOfFolded(word.slice(0, start), language)} ${english}`;
    }
  }
  return isStopWord(word, language) ? "" : stemOfFolded(word, language);
}
