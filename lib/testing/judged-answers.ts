import { answerFrom } from "@/lib/answers/builtin/answer";
import { emergencyIn } from "@/lib/answers/builtin/emergencies";
import replies from "@/lib/answers/builtin/replies.json" with { type: "json" };
import { type DelimitedSource, escapeSource } from "@/lib/text/delimiters";
import type { MemorySearchResult } from "./memory-search";

/** A question with what a good answer to it has, written from the documents. */
export interface JudgedQuestion {
  id: string;
  kind: string;
  question: string;
  /**
   * `answer`: the documents answer it. `abstain`: they don't. `either`: abstaining is right, and so is an answer with
   * the patterns. `emergency`: it gets whom to call.
   */
  expect: string;
  /** Part of the title of a document that a right answer cites. */
  document?: string;
  /** Patterns that a right answer matches. */
  must?: string[];
  /** Patterns that make an answer wrong. */
  mustNot?: string[];
}

export type Grade = "right" | "partly" | "wrong" | "abstained" | "missed";

export interface Judged extends JudgedQuestion {
  grade: Grade;
  answer: string;
}

const CLOSEST = new RegExp(`\\n\\n(?:${Object.values(replies.closest).join("|")})\\n`);

/** Asks the built-in model each question, with the sources that a search finds. */
export function judgeAnswers(
  questions: readonly JudgedQuestion[],
  search: (query: string) => MemorySearchResult,
): Judged[] {
  return questions.map((judged) => {
    const found = search(judged.question);
    const sources = found.sources.map(escapeSource);
    const answer = answerFrom(sources, {
      question: found.understood,
      dependsOnConversation: false,
      packs: ["medical"],
    });
    return { ...judged, answer, grade: gradeOf(judged, answer, sources) };
  });
}

function gradeOf(
  { expect, question, document, must = [], mustNot = [] }: JudgedQuestion,
  answer: string,
  sources: readonly DelimitedSource[],
): Grade {
  // The passage named last is a pointer, not an answer.
  const [quoted = ""] = answer.split(CLOSEST);
  const cited = [...quoted.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  const matches = (pattern: string): boolean => new RegExp(pattern, "s").test(quoted);
  const met = must.filter(matches).length;
  if (expect === "emergency") {
    const call = emergencyIn(question, "medical")?.call;
    return call !== undefined && answer.startsWith(call) ? "abstained" : "missed";
  }
  if (cited.length === 0) {
    return expect === "answer" ? "missed" : "abstained";
  }
  const titles = sources.filter(({ number }) => cited.includes(number)).map(({ title }) => title);
  const isFromDocument = !document || titles.some((title) => title.includes(document));
  if (expect === "abstain" || met === 0 || mustNot.some(matches)) {
    return "wrong";
  }
  return met === must.length && isFromDocument ? "right" : "partly";
}

export interface AnswerQuality {
  questions: number;
  answered: number;
  right: number;
  partly: number;
  wrong: number;
  abstained: number;
  missed: number;
  /** Shares of the answered ones. */
  right_share: number;
  wrong_share: number;
  /** Share of the questions with an answer in the documents that got one. */
  answered_share: number;
}

export function summarize(judged: readonly Judged[]): AnswerQuality {
  const count = (grade: Grade) => judged.filter((one) => one.grade === grade).length;
  const [right, partly, wrong] = [count("right"), count("partly"), count("wrong")];
  const answered = right + partly + wrong;
  const answerable = judged.filter(({ expect }) => expect === "answer" || expect === "emergency");
  const missed = count("missed");
  return {
    questions: judged.length,
    ...{ answered, right, partly, wrong, abstained: count("abstained"), missed },
    right_share: right / Math.max(1, answered),
    wrong_share: wrong / Math.max(1, answered),
    answered_share: 1 - missed / Math.max(1, answerable.length),
  };
}

/** A row for each kind of question, and one for all. */
export function qualityTable(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  const rows = kinds.map((kind) =>
    rowOf(
      kind,
      judged.filter((one) => one.kind === kind),
    ),
  );
  return [
    "| kind | questions | right | partly | wrong | abstained properly | missed |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    rowOf("all", judged),
  ].join("\n");
}

function rowOf(name: string, judged: readonly Judged[]): string {
  const { questions, right, partly, wrong, abstained, missed } = summarize(judged);
  return `| ${[name, questions, right, partly, wrong, abstained, missed].join(" | ")} |`;
}
