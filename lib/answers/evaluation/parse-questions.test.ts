import { describe, expect, it } from "vitest";
import { MAX_QUESTIONS, parseQuestions } from "./parse-questions";

const bytes = (text: string) => new TextEncoder().encode(text);
const csv = (...lines: string[]) => parseQuestions(bytes(lines.join("\n")), "csv");
const jsonl = (...rows: unknown[]) =>
  parseQuestions(bytes(rows.map((row) => JSON.stringify(row)).join("\n")), "jsonl");

describe("parseQuestions", () => {
  it("reads the same questions from CSV and JSONL", () => {
    const turns = [{ role: "user", content: "What is asthma?" }];
    const fromCsv = csv(
      "id,question,document,quote,should_abstain,turns,sources",
      'a,"How is it, then, treated?",Asthma,,,"[{""role"":""user"",""content"":""What is asthma?""}]","public_kb, customer_kb"',
      "b,What is 2+2?,,,yes,,",
      "c,How long?,,4 to 72 hours,false,,",
    );
    const fromJsonl = jsonl(
      {
        id: "a",
        question: "How is it, then, treated?",
        document: ["Asthma"],
        turns,
        sources: ["public_kb", "customer_kb"],
      },
      { id: "b", question: "What is 2+2?", should_abstain: true },
      { id: "c", question: "How long?", quote: "4 to 72 hours" },
    );
    const withoutLines = ({ questions }: typeof fromCsv) =>
      questions.map(({ line: _, ...rest }) => rest);
    expect(fromCsv.problems).toEqual([]);
    expect(withoutLines(fromCsv)).toEqual(withoutLines(fromJsonl));
    expect(fromCsv.questions.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(fromCsv.questions[0]).toMatchObject({ turns, documents: ["Asthma"] });
  });

  it("accepts what spreadsheets write: a byte order mark, semicolons, CRLF, capital column names", () => {
    const { questions, problems } = parseQuestions(
      bytes("\uFEFFQuestion;Document\r\nWhat is asthma, please?;Asthma\r\n"),
      "csv",
    );
    expect(problems).toEqual([]);
    expect(questions).toMatchObject([
      { question: "What is asthma, please?", documents: ["Asthma"] },
    ]);
  });

  it("names the line of every row with a problem", () => {
    const { problems, questions } = csv(
      "question,document,should_abstain",
      ",Asthma,",
      "Both?,Asthma,true",
      "Neither?,,",
      "Odd?,Asthma,perhaps",
      "One, two?,Asthma,",
      "Fine?,Asthma,",
    );
    expect(problems).toEqual([
      { line: 2, message: "question: is empty" },
      { line: 3, message: "give one of document, quote, or should_abstain: true" },
      { line: 4, message: "give one of document, quote, or should_abstain: true" },
      { line: 5, message: expect.stringContaining("should_abstain: ") },
      { line: 6, message: '4 values for 3 columns; quote texts with a ","' },
    ]);
    expect(questions).toHaveLength(1);
  });

  it("names the line of broken JSON, of other values than objects, and of a wrong turn", () => {
    const { problems } = parseQuestions(
      bytes(
        '{"question": "Fine?", "document": "A"}\n\n{"question"\n[]\n{"question":"Q","document":"A","turns":[{"role":"system","content":"x"}]}',
      ),
      "jsonl",
    );
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(problems[0]?.message).toContain("not valid JSON");
    expect(problems[2]?.message).toContain("turns.0.role");
  });

  it("rejects rows that can't be told apart, with the line of the first", () => {
    const { problems } = csv("question,document", "Same?,A", "Other?,A", "Same?,B");
    expect(problems).toEqual([
      { line: 4, message: expect.stringContaining("repeats the id or the question of line 2") },
    ]);
  });

  it("gives a question without an id the same one wherever its row is", () => {
    const [one] = csv("question,document", "First?,A", "Second?,A").questions.slice(1);
    const [other] = csv("question,document", "Second?,A").questions;
    expect(one?.id).toBe(other?.id);
  });

  it.each([
    ["an empty file", "", null, "The file is empty."],
    ["blank lines", "\n \n", null, "The file is empty."],
    ["a heading alone", "question,document\n", null, "has a heading but no questions"],
    ["no question column", "ask,document\nWhat?,A\n", 1, 'none is "question": ask, document'],
    ["an open quotation mark", 'question,document\n"What?,A\n', 2, "Quote"],
  ])("reports %s", (_, text, line, message) => {
    const { problems, questions } = parseQuestions(bytes(text), "csv");
    expect(questions).toEqual([]);
    expect(problems).toEqual([{ line, message: expect.stringContaining(message) }]);
  });

  it("names the line where a file stops being UTF-8", () => {
    const latin = Uint8Array.from([...bytes("question\nMéni"), 0xe8, ...bytes("re?\n")]);
    expect(parseQuestions(latin, "csv").problems).toEqual([
      { line: 2, message: expect.stringContaining("UTF-8") },
    ]);
  });

  it("rejects more questions than a run may have", () => {
    const rows = Array.from({ length: MAX_QUESTIONS + 1 }, (_, at) => `Question ${at}?,A`);
    const { problems, questions } = csv("question,document", ...rows);
    expect(questions).toEqual([]);
    expect(problems).toEqual([{ line: null, message: expect.stringContaining("Split it") }]);
  });

  it("lists columns that it ignores", () => {
    expect(csv("question,document,notes", "What?,A,mine").ignored).toEqual(["notes"]);
  });
});
