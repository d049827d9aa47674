import { createHash } from "node:crypto";
import type { Verification } from "@/lib/answers/citations/schema";
import { answeredBy } from "@/lib/evidence/answered";
import { sentencesOf } from "./corruption";
import type { Half, TitledText } from "./pairs";

export interface AnsweredRow {
  /** The cited sentences: of the answer to the question, to another about the same subject, or about another subject. */
  cited: string;
  questions: number;
  yes: number;
  partly: number;
  no: number;
  unknown: number;
}

/** The questions of MedQuAD, by what they ask about their subject. */
const QUESTIONS = {
  definition: /^What is \(are\) (.+?) ?\?+$/,
  symptoms: /^What are the symptoms of (.+?) ?\?+$/,
  treatment: /^What are the treatments for (.+?) ?\?+$/,
  cause: /^What causes (.+?) ?\?+$/,
  diagnosis: /^How to diagnose (.+?) ?\?+$/,
  prevention: /^How to prevent (.+?) ?\?+$/,
  prognosis: /^What is the outlook for (.+?) ?\?+$/,
} as const;

interface Section {
  question: string;
  asks: string;
  subject: string;
  sentences: string[];
}

const MAX_CITED = 3;
const MAX_QUESTIONS = 1000;

/**
 * `verification.answered` on MedQuAD's questions, with the first sentences of the right section, of another section
 * about the same subject, and of the same section about another subject. Sources are labeled by their subject only.
 */
export async function measureAnswered(
  texts: readonly TitledText[],
  half: Half,
): Promise<AnsweredRow[]> {
  const sections = texts.flatMap(sectionOf).filter(({ subject }) => halfOf(subject) === half);
  const rows = new Map<string, AnsweredRow>();
  for (const [at, section] of sections.slice(0, MAX_QUESTIONS).entries()) {
    const isSame = ({ subject }: Section) => subject === section.subject;
    const rest = [...sections.slice(at + 1), ...sections.slice(0, at)];
    const cases = {
      "the right answer": section,
      "another answer about the subject": rest.find(
        (other) => isSame(other) && other.asks !== section.asks && other.asks !== "definition",
      ),
      "another subject": rest.find((other) => !isSame(other) && other.asks === section.asks),
    };
    for (const [cited, source] of Object.entries(cases)) {
      if (source) {
        count(rows, cited, await answer(section.question, source));
      }
    }
  }
  return [...rows.values()];
}

function answer(question: string, { sentences, subject }: Section): Verification["answered"] {
  const quotesOf = (text: string) => [{ id: 1, text }];
  const claims = sentences.map((text) => ({
    text,
    verdict: "supported" as const,
    quotes: quotesOf(text),
  }));
  return answeredBy(question, claims, [{ number: 1, title: subject, text: sentences.join(" ") }]);
}

function count(rows: Map<string, AnsweredRow>, cited: string, said: Verification["answered"]) {
  const row = rows.get(cited) ?? { cited, questions: 0, yes: 0, partly: 0, no: 0, unknown: 0 };
  row.questions += 1;
  row[said] += 1;
  rows.set(cited, row);
}

function sectionOf({ title, text }: TitledText): Section[] {
  const sentences = sentencesOf(text).slice(0, MAX_CITED);
  return Object.entries(QUESTIONS).flatMap(([asks, form]) => {
    const subject = form.exec(title)?.[1];
    const question = title.replace(" (are)", "");
    return subject && sentences.length > 0 ? { question, asks, subject, sentences } : [];
  });
}

function halfOf(subject: string): Half {
  const [byte = 0] = createHash("sha256").update(`answered ${subject}`).digest();
  return byte % 2 === 0 ? "tuned" : "reported";
}
