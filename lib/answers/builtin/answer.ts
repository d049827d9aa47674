import type { Candidate } from "@/lib/evidence/questions/candidates";
import { findAnswer, readInLanguage } from "@/lib/evidence/questions/likeliest";
import type { Pack } from "@/lib/pack-names";
import { type DelimitedSource, RETRACTED_LABEL } from "@/lib/text/delimiters";
import { type Language, languageOf } from "@/lib/text/languages";
import { compose, isSameList, pointTo } from "./compose";
import { emergencyIn } from "./emergencies";
import replies from "./replies.json" with { type: "json" };

/** What the sources were searched for. */
export interface Asked {
  question: string;
  /** Whether it needs earlier turns to be understood, and was searched without them. */
  dependsOnConversation: boolean;
  /** Of the documents that were searched, if nothing was found. */
  languages?: readonly Language[];
  /** Those that the collections declare. */
  packs?: readonly Pack[];
}

const SENTENCES = 5;
/** A list is quoted to its end, up to this many items: half of the signs of a stroke may be the wrong half. */
const ITEMS = 12;
const INVISIBLE = /\p{Cf}+/gu;
type ReplyLanguage = keyof typeof replies.noAnswer;
const REPLY_LANGUAGES = Object.keys(replies.noAnswer) as ReplyLanguage[];

/** Quotes the sources' answer to a question, or says that they have none. Warns of a retracted source that it cites. */
export function answerFrom(sources: readonly DelimitedSource[], written: Asked): string {
  // Soft hyphens and characters without a width would split words.
  const asked = { ...written, question: written.question.replace(INVISIBLE, "") };
  const emergency = (asked.packs ?? [])
    .values()
    .map((pack) => emergencyIn(asked.question, pack))
    .find(Boolean);
  if (emergency?.isCrisis) {
    return emergency.call;
  }
  if (emergency) {
    const { call, language } = emergency;
    const closest = quoteFrom(sources, asked, { isUrgent: true, own: language as Language });
    return sources.length > 0 ? `${call} ${closest}` : call;
  }
  return asked.dependsOnConversation
    ? replies.dependent
    : quoteFrom(sources, asked, { isUrgent: false, own: languageOf(asked.question) });
}

/** Says in the question's language that the sources found don't answer it. */
export function noAnswerTo(question: string): string {
  return replies.noAnswer[replyLanguage(languageOf(question))];
}

function quoteFrom(
  written: readonly DelimitedSource[],
  asked: Asked,
  { isUrgent, own }: { isUrgent: boolean; own: Language | null },
): string {
  const spoken = replyLanguage(own);
  const retracted = written.filter(({ title }) => title.startsWith(RETRACTED_LABEL));
  // The label says nothing about the subject.
  const sources = written.map((source) =>
    retracted.includes(source)
      ? { ...source, title: source.title.slice(RETRACTED_LABEL.length) }
      : source,
  );
  const read = readInLanguage(sources, own);
  const { answers, closest } = findAnswer(asked.question, read);
  if (answers.length > 0 && !isUrgent) {
    return withWarning(compose(beginningOf(answers)), retracted, spoken);
  }
  const languages = new Set([...read.languages, ...(asked.languages ?? [])]);
  if (own !== null && own !== "en" && languages.size > 0 && !languages.has(own)) {
    return describeLanguages([...languages], spoken);
  }
  const [first, ...rest] = closest;
  return first === undefined
    ? replies.noAnswer[spoken]
    : [replies.uncertain[spoken], "", replies.closest[spoken], pointTo([first, ...rest])].join(
        "\n",
      );
}

function beginningOf(answers: readonly Candidate[]): Candidate[] {
  const isEnd = (candidate: Candidate, at: number) =>
    at >= SENTENCES && !isSameList(candidate, answers[at - 1]);
  const end = answers.findIndex(isEnd);
  return answers.slice(0, Math.min(ITEMS, end < 0 ? ITEMS : end));
}

function withWarning(
  answer: string,
  retracted: readonly DelimitedSource[],
  spoken: ReplyLanguage,
): string {
  const isCited = retracted.some(({ number }) => answer.includes(`[${number}]`));
  return isCited ? `${answer}\n\n${replies.retracted[spoken]}` : answer;
}

function describeLanguages(languages: readonly Language[], spoken: ReplyLanguage): string {
  const namesIn = new Intl.DisplayNames([spoken], { type: "language" });
  const names = languages.map((language) => namesIn.of(language) ?? language);
  return replies.otherLanguage[spoken].replace(
    "{languages}",
    new Intl.ListFormat(spoken).format(names),
  );
}

/** English, if there is no reply in a language. */
function replyLanguage(language: Language | null): ReplyLanguage {
  return REPLY_LANGUAGES.find((known) => known === language) ?? "en";
}
