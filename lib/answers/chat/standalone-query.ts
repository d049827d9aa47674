import { type ChatMessage, textOf } from "@/lib/models/schema";
import { readPacks } from "@/lib/packs";
import {
  AUXILIARIES,
  CLAUSES,
  INTERROGATIVES,
  isPleasantry,
  PERSONAL,
  POSSESSIVES,
  PREPOSITIONS,
  plainText,
  readWords,
  STARTERS,
  subjectsOf,
  type TurnWord,
} from "./turn-words";

/** A longer message brings its own subject. */
const MAX_LEANING_LENGTH = 400;
/** How many user messages before the last one are read, and how much of each: the end, where a question usually is. */
export const MAX_EARLIER_TURNS = 8;
export const MAX_TURN_LENGTH = 1000;
/** A query that grew longer with each turn goes back to its subject. */
const MAX_QUERY_LENGTH = 400;

/** A question that can be understood without the conversation before it. */
export interface StandaloneQuery {
  text: string;
  /** Whether the last message alone can't be. */
  dependsOnConversation: boolean;
}

/** What the conversation is about so far. */
interface Topic {
  subjects: readonly string[];
  /** The last question, standalone. */
  question: string;
}

/** How a message leans on those before it: by a pronoun, by adding to the question, by asking the same of another subject. */
type Leaning = "no" | "pronoun" | "relation" | "addition" | "replacement";

/**
 * Makes a standalone query from the last user message and those before it, by rules for English. A message with a subject
 * of its own is returned unchanged.
 */
export function toStandaloneQuery(messages: readonly ChatMessage[]): StandaloneQuery {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const last = said.at(-1) ?? "";
  let topic: Topic | null = null;
  for (const earlier of said.slice(-1 - MAX_EARLIER_TURNS, -1)) {
    topic = follow(plainText(earlier.slice(-MAX_TURN_LENGTH)), topic);
  }
  const text = plainText(last.slice(0, MAX_LEANING_LENGTH + 1));
  const leaning = topic && text.length <= MAX_LEANING_LENGTH ? leaningOf(text) : "no";
  return topic && leaning !== "no"
    ? { text: join(text, leaning, topic), dependsOnConversation: true }
    : { text: last, dependsOnConversation: false };
}

/** A picture alone asks nothing that words can search for. */
export function isQuestion({ role, content }: ChatMessage): boolean {
  return role === "user" && textOf(content).trim() !== "";
}

/** The topic after one more user message. */
function follow(text: string, before: Topic | null): Topic | null {
  const words = readWords(text);
  const leaning = leaningOf(text, words);
  if (before && leaning !== "no") {
    const next = leaning === "replacement" ? subjectsOf(text, words) : [];
    const subjects = next.length > 0 ? next : before.subjects;
    return { subjects, question: join(text, leaning, before) };
  }
  const question = questionOf(text);
  const subjects = subjectsOf(question, readWords(question));
  return subjects.length > 0 && !isPleasantry(words) ? { subjects, question } : before;
}

/** Not in decimals and abbreviations. */
const BETWEEN_SENTENCES = /(?<=[.?!])\s|\n/;

/** The last question of a message that names a subject, or all of it. */
function questionOf(text: string): string {
  const questions = text.split(BETWEEN_SENTENCES).filter((sentence) => sentence.endsWith("?"));
  const named = questions.findLast((question) => hasSubject(readWords(question)));
  return (named ?? text).trim().slice(-MAX_QUERY_LENGTH);
}

function hasSubject(words: readonly TurnWord[]): boolean {
  return words.some(({ kind }) => kind === "subject");
}

function leaningOf(text: string, words = readWords(text)): Leaning {
  if (isPleasantry(words)) {
    return "no";
  }
  const pointer = pointerOf(words);
  if (pointer) {
    return pointsAtStatement(pointer, words) || isOneOf(pointer, words) ? "addition" : "pronoun";
  }
  return leaningWithoutPronoun(words);
}

function leaningWithoutPronoun(words: readonly TurnWord[]): Leaning {
  const bare = words.slice(starterLength(words));
  const isAdding = PREPOSITIONS.has(bare[0]?.text ?? "");
  const asks = bare.some(({ text: word }) => AUXILIARIES.has(word) || INTERROGATIVES.has(word));
  const hasRelation = bare.some(({ kind }) => kind === "relation");
  if (hasSubject(words)) {
    const added = isAdding ? "addition" : "replacement";
    const isPhrase = !asks && !hasRelation && (isAdding || bare.length < words.length);
    return isPhrase ? added : "no";
  }
  if (isDefinition(bare)) {
    return "no";
  }
  return hasRelation && (asks || !isAdding) ? "relation" : "addition";
}

/** "What is surgery?": a subject, though not a likely one. */
function isDefinition([what, is, ...defined]: readonly TurnWord[]): boolean {
  return (
    what?.text === "what" &&
    (is?.text === "is" || is?.text === "are") &&
    defined.length > 0 &&
    defined.every(({ kind }) => kind === "modifier" || kind === "generic")
  );
}

const PACK = readPacks("questions");
const LABELED = new Set([
  ...["type", "stage", "grade", "class", "phase", "level", "group"],
  ...PACK.numbered,
]);
const PEOPLE = new Set(["people", "person", "someone", ...PACK.people]);

/** How a message begins that puts another subject in the place of the last: "No, I meant …", "Same question for …". */
const CORRECTION =
  /^(?:(?:no|sorry|oops|actually|wait) )*(?:i (?:mean|meant)|(?:the )?same(?: question| thing)? for) /;

/** How many words of "And what about …" or "No, I meant …" there are. */
function starterLength(words: readonly TurnWord[]): number {
  const [correction] = CORRECTION.exec(words.map(({ text }) => text).join(" ")) ?? [];
  if (correction) {
    return correction.trim().split(" ").length;
  }
  let length = words.findIndex(({ text }) => !STARTERS.has(text));
  length = length < 0 ? words.length : length;
  const isAbout = ["what", "how"].includes(words[length]?.text ?? "");
  return isAbout && words[length + 1]?.text === "about" ? length + 2 : length;
}

/** "Why is that?": more of the question before, not of its subject. */
function pointsAtStatement({ text }: TurnWord, words: readonly TurnWord[]): boolean {
  const says = words.some(({ kind }) => kind === "subject" || kind === "relation");
  return (text === "this" || text === "that") && !says;
}

/** "Which of these is best?": a choice of what the question before asked for, not of its subject. */
function isOneOf(pointer: TurnWord, words: readonly TurnWord[]): boolean {
  const [one = "", of = ""] = words
    .slice(0, words.indexOf(pointer))
    .slice(-2)
    .map(({ text }) => text);
  return of === "of" && ["which", "one", "any", "some", "all", "most", "none"].includes(one);
}

/** The first pronoun that refers to something outside the message; one for a person only without another. */
function pointerOf(words: readonly TurnWord[]): TurnWord | undefined {
  const pointers = words.filter(
    (word, at) =>
      word.kind === "pronoun" &&
      !isDeterminer(words, at) &&
      !isExpletive(words, at) &&
      !isResolved(words, at),
  );
  return pointers.find(({ text }) => !PERSONAL.has(text)) ?? pointers[0];
}

/** "this rash", "drugs that cause …", "is it true that …": not "is this contagious?" or "is that so?". */
function isDeterminer(words: readonly TurnWord[], at: number): boolean {
  const { text } = words[at] as TurnWord;
  if (!["this", "that", "these", "those"].includes(text)) {
    return false;
  }
  const rest = words.slice(at + 1);
  const end = rest.findIndex(({ kind, isFirst }) => kind !== "subject" || isFirst);
  const following = end < 0 ? rest.length : end;
  const before = words[at - 1];
  const isAsked = AUXILIARIES.has(before?.text ?? "");
  if (text === "that" && before && !isAsked && !PREPOSITIONS.has(before.text)) {
    return rest.length > 0 && rest[0]?.kind !== "generic" && before.text !== "about";
  }
  const next = rest[following];
  const isPredicate =
    isAsked && following === 1 && (!next || next.isFirst || PREPOSITIONS.has(next.text));
  return following > 0 && !isPredicate;
}

const SOMEONE = new Set("i you we someone people a an the my your".split(" "));

/** "Is it safe to take ibuprofen?" is about ibuprofen; "is it safe to take with alcohol?" isn't about alcohol. */
function isExpletive(words: readonly TurnWord[], at: number): boolean {
  if (words[at]?.text !== "it") {
    return false;
  }
  const near = words.slice(at + 1, at + 6);
  const marker = near.findIndex(
    ({ text }, index) =>
      text === "to" ||
      text === "that" ||
      (["if", "when"].includes(text) && SOMEONE.has(near[index + 1]?.text ?? "")),
  );
  if (marker < 0) {
    return false;
  }
  const rest = words.slice(at + 2 + marker);
  const hasNoObject = near[marker]?.text === "to" && PREPOSITIONS.has(rest[1]?.text ?? "");
  return !hasNoObject && hasSubject(rest.slice(near[marker]?.text === "to" ? 1 : 0));
}

/** Whether an earlier clause of the message, or for a person any earlier word, names what a pronoun stands for. */
function isResolved(words: readonly TurnWord[], at: number): boolean {
  const { text } = words[at] as TurnWord;
  const before = words.slice(0, at);
  if (PERSONAL.has(text)) {
    return before.some(({ kind, text: word }) => kind !== "other" || PEOPLE.has(word));
  }
  if (text === "its") {
    return hasSubject(before);
  }
  const named = before.findIndex(({ kind }) => kind === "subject");
  return (
    named >= 0 &&
    words
      .slice(named + 1, at + 1)
      .some(({ text: word, isFirst, isAfterComma }) => isFirst || isAfterComma || CLAUSES.has(word))
  );
}

function join(text: string, leaning: Leaning, topic: Topic): string {
  const { subjects, question } = topic;
  const words = readWords(text);
  const other = leaning === "addition" ? withOtherLabel(question, words) : null;
  if (other !== null) {
    return other;
  }
  const named = `${subjects.join(", ")}: ${text}`;
  const joined = {
    no: () => text,
    pronoun: () => (subjects.length === 1 ? substitute(text, words, subjects[0] ?? "") : named),
    relation: () => named,
    addition: () => `${question} ${text}`,
    replacement: () => {
      const [subject = "", ...others] = subjects;
      const [next] = subjectsOf(text, words);
      return next && others.length === 0 && question.includes(subject)
        ? question.replace(subject, () => next)
        : `${question} ${text}`;
    },
  }[leaning]();
  return joined.length > MAX_QUERY_LENGTH ? named : joined;
}

/** "And type 2?": the question before, of another type, stage or grade; null if it has none, or more is asked. */
function withOtherLabel(question: string, words: readonly TurnWord[]): string | null {
  const asked = words.slice(starterLength(words)).map(({ text }) => text);
  const [kind = "", label = "", ...rest] = PREPOSITIONS.has(asked[0] ?? "")
    ? asked.slice(1)
    : asked;
  const labeled = new RegExp(`\\b${kind} (?:\\d\\w?|[a-z]|i{1,3}|iv)\\b`, "i");
  return rest.length === 0 && LABELED.has(kind) && label !== "" && labeled.test(question)
    ? question.replace(labeled, () => `${kind} ${label}`)
    : null;
}

/** They stand for a person, who is rarely the subject. */
const PERSONS = new Set("he she him his her".split(" "));

/** Puts the subject in the place of the pronoun. */
function substitute(text: string, words: readonly TurnWord[], subject: string): string {
  const pointer = pointerOf(words);
  const next = pointer && words[words.indexOf(pointer) + 1];
  const isBeforeNoun = next && ["generic", "modifier"].includes(next.kind) && !next.isFirst;
  if (!pointer || PERSONS.has(pointer.text) || (isBeforeNoun && !POSSESSIVES.has(pointer.text))) {
    return `${subject}: ${text}`;
  }
  const form = POSSESSIVES.has(pointer.text) ? `${subject}’s` : subject;
  return `${text.slice(0, pointer.start)}${form}${text.slice(pointer.end)}`;
}
