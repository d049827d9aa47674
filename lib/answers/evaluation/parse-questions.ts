import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { CsvError, parse } from "csv-parse/sync";
import * as z from "zod";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { csvDelimiter } from "@/lib/reading/parse/csv";

/** A question of a file, with what it expects. */
export interface Question {
  /** Of its row. */
  line: number;
  id: string;
  question: string;
  /** What was said before, oldest first. */
  turns: { role: "user" | "assistant"; content: string }[];
  /** Ids, URLs or titles. */
  documents: string[];
  quote: string | null;
  shouldAbstain: boolean;
  /** Null: those of the run. */
  sources: KnowledgeScope[] | null;
}

export interface ParsedQuestions {
  questions: Question[];
  problems: Problem[];
  /** Columns or members that mean nothing here. */
  ignored: string[];
}

export interface Problem {
  /** Null when the whole file is meant. */
  line: number | null;
  message: string;
}

export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Results stay in memory, and a comparison resamples all of them. */
export const MAX_QUESTIONS = 10_000;
const MAX_TURNS = 50;
/** Far above what a search accepts. */
const MAX_TEXT = 100_000;

const NEWLINE = 0x0a;
const FIELDS = ["id", "question", "turns", "document", "quote", "should_abstain", "sources"];
const ONE_EXPECTATION = "give one of document, quote, or should_abstain: true";

const name = z.union([z.string().trim().max(200, "is too long"), z.number()]).transform(String);
const text = z
  .string({ error: "is missing" })
  .trim()
  .min(1, "is empty")
  .max(MAX_TEXT, "is too long");
const blankToNull = (value: unknown) =>
  value === undefined || (typeof value === "string" && value.trim() === "") ? null : value;
const flag = z
  .union([z.boolean(), z.stringbool()], { error: "expected true or false" })
  .nullable()
  .transform((value) => value ?? false);
const turn = z.object({ role: z.enum(["user", "assistant"]), content: text });

/** A row of either format. Cells of a CSV are text. */
const Row = z
  .object({
    id: z.preprocess(blankToNull, name.nullable()),
    question: text,
    turns: z.preprocess(
      (value) => (typeof value === "string" ? parseTurns(value) : blankToNull(value)),
      z.array(turn, "expected a list of {role, content}").max(MAX_TURNS).nullable(),
    ),
    document: z.preprocess(
      (value) => (typeof value === "string" && value.trim() ? [value] : blankToNull(value)),
      z.array(text, "expected a document or a list of them").max(100).nullable(),
    ),
    quote: z.preprocess(blankToNull, text.nullable()),
    should_abstain: z.preprocess(blankToNull, flag),
    sources: z.preprocess(
      (value) =>
        typeof value === "string" && value.trim() ? value.split(/[\s,]+/) : blankToNull(value),
      z.array(KnowledgeScope, "expected knowledge bases").nullable(),
    ),
  })
  .refine(
    ({ document, quote, should_abstain }) =>
      should_abstain !== (quote !== null || (document?.length ?? 0) > 0),
    { error: ONE_EXPECTATION },
  );

type RawRow = { line: number; row: unknown } | { line: number; fault: string };

/** Reads a file of questions. Every row with a problem is reported, and none is left out silently. */
export function parseQuestions(bytes: Uint8Array, format: "csv" | "jsonl"): ParsedQuestions {
  const content = decode(bytes);
  if (typeof content !== "string") {
    return failed(content);
  }
  if (!content.trim()) {
    return failed({ line: null, message: "The file is empty." });
  }
  const { rows, ignored } = format === "csv" ? readCsv(content) : readLines(content);
  if (rows.length === 0) {
    return failed({ line: null, message: "The file has a heading but no questions." });
  }
  if (rows.length > MAX_QUESTIONS) {
    const message = `The file has ${rows.length} questions; at most ${MAX_QUESTIONS} are evaluated. Split it.`;
    return failed({ line: null, message });
  }
  const problems: Problem[] = [];
  const questions = rows.flatMap((raw) => {
    const read = "fault" in raw ? raw.fault : toQuestion(raw);
    if (typeof read !== "string") {
      return [read];
    }
    problems.push({ line: raw.line, message: read });
    return [];
  });
  return { questions, problems: [...problems, ...repeatedIds(questions)], ignored };
}

function failed(problem: Problem): ParsedQuestions {
  return { questions: [], problems: [problem], ignored: [] };
}

/** The text, or where it stops being UTF-8. */
function decode(bytes: Uint8Array): string | Problem {
  if (isUtf8(bytes)) {
    return new TextDecoder().decode(bytes);
  }
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) {
      break;
    }
    start = next;
  }
  return { line, message: "This isn't UTF-8 text. Save the file as UTF-8 and try again." };
}

function readLines(content: string): { rows: RawRow[]; ignored: string[] } {
  const unknown = new Set<string>();
  const rows = content.split("\n").flatMap((text, index): RawRow[] => {
    const line = index + 1;
    if (!text.trim()) {
      return [];
    }
    try {
      const row: unknown = JSON.parse(text);
      for (const name of Object.keys(Object(row))) {
        unknown.add(name);
      }
      return [{ line, row }];
    } catch (thrown) {
      return [{ line, fault: `not valid JSON: ${(thrown as Error).message}` }];
    }
  });
  return { rows, ignored: [...unknown].filter((name) => !FIELDS.includes(name)) };
}

function readCsv(content: string): { rows: RawRow[]; ignored: string[] } {
  const delimiter = csvDelimiter("questions.csv", content) ?? ",";
  try {
    const records = parse(content, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    const names = (records[0]?.record ?? []).map((name) => name.toLowerCase());
    if (!names.includes("question")) {
      const fault = `the first row names the columns, and none is "question": ${names.join(", ")}`;
      return { rows: [{ line: 1, fault }], ignored: [] };
    }
    const rows = records.slice(1).map(({ record, info: { lines: line } }): RawRow => {
      return record.length > names.length
        ? {
            line,
            fault: `${record.length} values for ${names.length} columns; quote texts with a "${delimiter}"`,
          }
        : { line, row: Object.fromEntries(names.map((name, at) => [name, record[at]])) };
    });
    return { rows, ignored: names.filter((name) => name && !FIELDS.includes(name)) };
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) {
      throw thrown;
    }
    const line = typeof thrown.lines === "number" ? thrown.lines : 1;
    return { rows: [{ line, fault: thrown.message }], ignored: [] };
  }
}

function parseTurns(cell: string): unknown {
  if (!cell.trim()) {
    return null;
  }
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** The question, or what is wrong with its row. */
function toQuestion({ line, row }: { line: number; row: unknown }): Question | string {
  const { data, error } = Row.safeParse(row);
  if (!data) {
    return error.issues
      .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
      .join("; ");
  }
  const { id, question, turns, document, quote, should_abstain: shouldAbstain, sources } = data;
  return {
    line,
    id: id ?? hashOf({ question, turns, sources }),
    question,
    turns: turns ?? [],
    documents: document ?? [],
    quote,
    shouldAbstain,
    sources,
  };
}

/** The same for the same question in every file, wherever its row is. */
function hashOf(asked: object): string {
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex").slice(0, 12);
}

function repeatedIds(questions: readonly Question[]): Problem[] {
  const lines = new Map<string, number>();
  return questions.flatMap(({ id, line }) => {
    const before = lines.get(id);
    lines.set(id, before ?? line);
    const message = `repeats the id or the question of line ${before}; give each row an id of its own`;
    return before === undefined ? [] : [{ line, message }];
  });
}
