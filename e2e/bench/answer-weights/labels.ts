import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { memorySearch } from "@/lib/testing/memory-search";
import { splitFrontMatter } from "@/lib/text/front-matter";

/** A question written from a document, with the sentence that answers it. */
export interface LabeledQuestion {
  half: "tuning" | "report";
  collection: "sample" | "medquad";
  question: string;
  category: string;
  /** Fingerprints of the sentence or of its parts, hashes of their first six words; empty if no document answers. */
  answers: readonly string[];
}

const SAMPLE = "prisma/knowledge";
const WORDS = 6;
const FINGERPRINT = 12;
const windowsByText = new Map<string, ReadonlySet<string>>();

/** Reads `questions.tsv`: half, collection, question, category and fingerprints. */
export function readQuestions(): LabeledQuestion[] {
  const lines = readFileSync(path.join(import.meta.dirname, "questions.tsv"), "utf8")
    .trim()
    .split("\n");
  return lines.slice(1).map((line) => {
    const [half, collection, question = "", category = "", answers = ""] = line.split("\t");
    if ((half !== "tuning" && half !== "report") || !isCollection(collection)) {
      throw new Error(`questions.tsv has a bad line: ${line}`);
    }
    return { half, collection, question, category, answers: answers.split(" ").filter(Boolean) };
  });
}

function isCollection(name: string | undefined): name is LabeledQuestion["collection"] {
  return name === "sample" || name === "medquad";
}

/** Whether a sentence is the one that a question was written from. */
export function isLabeled(text: string, { answers }: LabeledQuestion): boolean {
  const known = windowsByText.get(text) ?? new Set(windowsOf(text));
  windowsByText.set(text, known);
  return answers.some((answer) => known.has(answer));
}

/** Searches of the two collections: the public sample, and MedQuAD with the sample. */
export function searches(folder: string) {
  const sample = readdirSync(SAMPLE).map((name) => {
    const { data, content } = splitFrontMatter(readFileSync(path.join(SAMPLE, name), "utf8"));
    return { title: (data as { title: string }).title, text: content, format: "markdown" as const };
  });
  const medquad = gunzipSync(readFileSync(path.join(folder, "medquad/corpus.jsonl.gz")))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { title: string; text: string })
    .map(({ title, text }) => ({ title, text, format: "plain" as const }));
  return { sample: memorySearch(sample), medquad: memorySearch([...sample, ...medquad]) };
}

function windowsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.flatMap((_, at) =>
    Array.from({ length: WORDS }, (_word, extra) => hash(words.slice(at, at + extra + 1))),
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}

function hash(words: readonly string[]): string {
  return createHash("sha256").update(words.join(" ")).digest("hex").slice(0, FINGERPRINT);
}
