import { readPacks } from "@/lib/packs";
import lists from "./asking-words.json" with { type: "json" };

const PACK = readPacks("questions");

/** The words of a list, which the file holds as one text. */
function wordsOf(list: string, added: readonly string[] = []): ReadonlySet<string> {
  return new Set(list.split(" ").concat(added));
}

export const AUXILIARIES = wordsOf(lists.auxiliaries);
export const INTERROGATIVES = wordsOf(lists.interrogatives);
export const PREPOSITIONS = wordsOf(lists.prepositions);
const QUALIFIERS = wordsOf(lists.qualifiers);
const JOINERS = wordsOf(lists.joiners);
export const CLAUSES = wordsOf(lists.clauses);
export const STARTERS = wordsOf(lists.starters);
const PLEASANTRIES = wordsOf(lists.pleasantries);
const PRONOUNS = wordsOf(lists.pronouns);
export const POSSESSIVES = wordsOf(lists.possessives);
export const PERSONAL = wordsOf(lists.personal);

/** What a word does in a question. Only a `subject` word says what it is about. */
type WordKind = "subject" | "generic" | "modifier" | "relation" | "pronoun" | "other";

/** The first list that has a word decides. */
const KINDS: readonly [ReadonlySet<string>, WordKind][] = [
  [new Set([...PRONOUNS, ...POSSESSIVES]), "pronoun"],
  [AUXILIARIES, "other"],
  [INTERROGATIVES, "other"],
  [PREPOSITIONS, "other"],
  [wordsOf(lists.generic, PACK.generic), "generic"],
  [JOINERS, "other"],
  [CLAUSES, "other"],
  [wordsOf(lists.functionWords), "other"],
  [wordsOf(lists.modifiers, PACK.modifiers), "modifier"],
  [wordsOf(lists.relations, PACK.relations), "relation"],
  [wordsOf(lists.neutral, PACK.neutral), "other"],
];

export interface TurnWord {
  /** In lower case. */
  text: string;
  kind: WordKind;
  start: number;
  end: number;
  /** The first word of a sentence. */
  isFirst: boolean;
  /** Whether a comma or the like stands before it. */
  isAfterComma: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-'’./][\p{L}\p{N}\p{M}]+)*/gu;
const SENTENCE_END = /[.?!;\n]/;
/** Zero-width characters, soft hyphens and the like. */
const INVISIBLE = /\p{Cf}/gu;

/** Without characters that nobody sees, and with single blanks at most around it. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, "").trim();
}

/** The words of a text, each with its kind. */
export function readWords(text: string): TurnWord[] {
  const words: TurnWord[] = [];
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const last = words.at(-1);
    const gap = text.slice(last?.end ?? 0, index);
    words.push({
      text: written.toLowerCase().replaceAll("’", "'"),
      kind: isDown(text, index) ? "subject" : kindOf(written, last),
      start: index,
      end: index + written.length,
      isFirst: !last || SENTENCE_END.test(gap),
      isAfterComma: gap.includes(",") || gap.includes(":"),
    });
  }
  return words;
}

/** "Down syndrome" is named after a person. */
const DOWN = /down(?:['’]?s)?(?=[\s-]+syndrom)/iy;

function isDown(text: string, index: number): boolean {
  DOWN.lastIndex = index;
  return DOWN.test(text);
}

function kindOf(written: string, last: TurnWord | undefined): WordKind {
  const lower = written.toLowerCase().replaceAll("’", "'");
  if (/^\p{N}+$/u.test(written)) {
    return "generic";
  }
  // "Vitamin A", "hepatitis B".
  if (/^\p{Lu}$/u.test(written) && last?.kind === "subject") {
    return "subject";
  }
  return KINDS.find(([words]) => words.has(lower))?.[1] ?? "subject";
}

/** Whether a text is nothing but thanks, a greeting or a yes. */
export function isPleasantry(words: readonly TurnWord[]): boolean {
  return words.length > 0 && words.every(({ text }) => PLEASANTRIES.has(text));
}

const MAX_PHRASES = 3;
const MAX_SUBJECT_LENGTH = 200;

/** What a text is about: its phrases around words of a subject, as it has them. Empty when it names none. */
export function subjectsOf(text: string, words: readonly TurnWord[]): string[] {
  const named = phrasesOf(text, words, ["subject"]);
  const phrases = named.length > 0 ? named : phrasesOf(text, words, ["modifier"]);
  let left = MAX_SUBJECT_LENGTH;
  return phrases.slice(0, MAX_PHRASES).filter((phrase) => {
    left -= phrase.length;
    return left >= 0;
  });
}

const IN_PHRASE: readonly WordKind[] = ["subject", "generic", "modifier"];

function phrasesOf(text: string, words: readonly TurnWord[], about: readonly WordKind[]): string[] {
  const phrases = new Set<string>();
  let run: TurnWord[] = [];
  const close = () => {
    // Joiners belong to a phrase only between its other words.
    const last = run.findLastIndex(({ kind }) => IN_PHRASE.includes(kind));
    const phrase = run.slice(0, last + 1);
    if (phrase.some(({ kind }) => about.includes(kind))) {
      phrases.add(sliceOf(text, phrase));
    }
    run = [];
  };
  for (const [at, word] of words.entries()) {
    const isPart = IN_PHRASE.includes(word.kind) || isQualifier(words, at);
    if (word.isFirst || !(isPart || JOINERS.has(word.text))) {
      close();
    }
    if (isPart || (run.length > 0 && JOINERS.has(word.text))) {
      run.push(word);
    }
  }
  close();
  return [...phrases];
}

/** "Long QT syndrome", "common cold". */
function isQualifier(words: readonly TurnWord[], at: number): boolean {
  const next = words[at + 1];
  return QUALIFIERS.has(words[at]?.text ?? "") && next?.kind === "subject" && !next.isFirst;
}

/** With the bracket that closes one in the phrase. */
function sliceOf(text: string, phrase: readonly TurnWord[]): string {
  const start = phrase[0]?.start ?? 0;
  const end = phrase.at(-1)?.end ?? start;
  const slice = text.slice(start, end);
  return text[end] === ")" && slice.includes("(") ? `${slice})` : slice;
}
