import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { evaluationContext, isNameOf } from "@/lib/answers/evaluation/evaluate";
import type { QuestionResult } from "@/lib/answers/evaluation/schema";
import { processJob } from "@/lib/library/documents/write/process-job";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { query } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { evaluateCommand } from "./evaluate/options";
import { openRunOutput, readRun } from "./evaluate/run-file";
import { askQuestions } from "./evaluate/run-questions";

const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-evaluate-"));
const QUESTIONS = [
  "id,question,document,quote,should_abstain",
  "asthma,What are the main symptoms of asthma?,Asthma,,",
  "migraine,What are the symptoms of migraine?,,lasts 4 to 72 hours,",
  "stroke,How do I recognize a stroke?,https://medlineplus.gov/stroke.html,,",
  "malaria,Which drugs prevent malaria?,,,true",
];
let printed = "";

beforeEach(() => {
  printed = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += text;
      return true;
    });
  }
});

afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, lines: readonly string[] = QUESTIONS): string {
  const place = path.join(folder, name);
  writeFileSync(place, `${lines.join("\n")}\n`);
  return place;
}

function evaluate(...args: string[]): Promise<number> {
  return evaluateCommand(args)();
}

/** A path for the output of a test's run. */
function output(name: string): string {
  return path.join(folder, `${name}.jsonl`);
}

function summaryOf(run: string) {
  return JSON.parse(readFileSync(run.replace(".jsonl", ".summary.json"), "utf8"));
}

/** Rows of everything that a charged or stored request leaves behind. */
async function countTraces(): Promise<number> {
  const [row] = await query<{ rows: number }>(
    "test_evaluation_traces",
    "SELECT ((SELECT count(*) FROM usage_record) + (SELECT count(*) FROM hold) + (SELECT count(*) FROM stored_completion))::int AS rows",
  );
  return row?.rows ?? 0;
}

describe("npm run kb -- evaluate", () => {
  it("measures search and answers as a request gets them, and leaves nothing behind", async () => {
    const before = await countTraces();
    const run = output("whole");
    expect(await evaluate(file("whole.csv"), "--output", run)).toBe(0);
    expect(await countTraces()).toBe(before);
    const { results } = readRun(run);
    const byId = new Map(results.map((result) => [result.id, result]));
    expect([...byId.keys()]).toEqual(["asthma", "migraine", "stroke", "malaria"]);
    for (const id of ["asthma", "migraine", "stroke"]) {
      expect(byId.get(id)).toMatchObject({ recall: 1, answer: { is_abstention: false } });
    }
    expect(byId.get("malaria")).toMatchObject({ recall: null, ndcg: null });
    const { key } = await makeKeyedAccount();
    const served = await openai(key).chat.completions.create({
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What are the main symptoms of asthma?" }],
      citations: { enabled: true, sources: ["public_kb"] },
    } as never);
    const [choice] = (served as { choices: { message: { content: string } }[] }).choices;
    expect(byId.get("asthma")?.answer?.text).toBe(choice?.message.content);
    const { settings, versions, figures, failed } = summaryOf(run);
    expect(settings).toMatchObject({ model: "footnote-extract-1", top_k: 8, min_score: 0.3 });
    expect(settings.context).toBe("passage");
    expect(versions).toMatchObject({ documents: 48, embedding: null, reranker: null });
    expect(figures.measures.recall).toEqual({ value: 1, n: 3 });
    expect(failed).toEqual([]);
    expect(printed).toContain("recall@8");
    expect(printed).toContain("4 questions, footnote-extract-1, public_kb: 48 documents");
  });

  it("evaluates search alone on the sample's questions", async () => {
    const run = output("sample");
    const code = await evaluate("docs/examples/questions.csv", "--no-answers", "--output", run);
    expect(code).toBe(0);
    const { figures, settings } = summaryOf(run);
    expect(settings.model).toBeNull();
    expect(figures.questions).toBe(30);
    expect(figures.measures.recall.value).toBeGreaterThan(0.75);
    expect(Object.keys(figures.measures)).toEqual(["recall", "ndcg"]);
  });

  it("continues a run that was killed in the middle of a line", async () => {
    const questions = file("resumed.csv");
    const run = output("resumed");
    await evaluate(questions, "--output", run);
    const lines = readFileSync(run, "utf8").trimEnd().split("\n");
    writeFileSync(run, `${lines.slice(0, 3).join("\n")}\n${lines[3]?.slice(0, 40)}`);
    expect(await evaluate(questions, "--output", run)).toBe(0);
    const continued = readFileSync(run, "utf8").trimEnd().split("\n");
    expect(continued.slice(0, 3)).toEqual(lines.slice(0, 3));
    expect(continued).toHaveLength(lines.length);
    expect(summaryOf(run).figures.questions).toBe(4);
  });

  it("refuses to continue with other settings, and says which", async () => {
    const questions = file("settings.csv");
    const run = output("settings");
    await evaluate(questions, "--no-answers", "--output", run);
    const before = readFileSync(run, "utf8");
    const again = evaluate(questions, "--no-answers", "--top-k", "3", "--output", run);
    await expect(again).rejects.toThrow("top_k: 8 before, 3 now");
    const wider = evaluate(questions, "--no-answers", "--context", "section", "--output", run);
    await expect(wider).rejects.toThrow("context: passage before, section now");
    expect(readFileSync(run, "utf8")).toBe(before);
    const notes = file("notes.jsonl", ['{"my": "notes"}']);
    const over = evaluate(questions, "--output", notes);
    await expect(over).rejects.toThrow("isn't the output of npm run kb -- evaluate");
  });

  it("compares with an earlier run: settings, measures and the questions that changed", async () => {
    const questions = file("compared.csv");
    const [first, second] = [output("compared-1"), output("compared-2")];
    await evaluate(questions, "--output", first);
    const more = file("compared-more.csv", [...QUESTIONS, "gout,How is gout treated?,,,true"]);
    await evaluate(more, "--min-score", "1", "--output", second, "--compare", first);
    const { comparison } = summaryOf(second);
    expect(comparison).toMatchObject({ questions: 4, only_now: 1, only_earlier: 0 });
    expect(comparison.differences).toContain("min_score: 0.3 before, 1 now");
    const recall = comparison.measures.find(({ name }: { name: string }) => name === "recall");
    expect(recall).toMatchObject({ earlier: 1, now: 0, questions: 3, is_noise: true });
    expect(comparison.changed.map(({ id }: { id: string }) => id)).toContain("asthma");
    expect(printed).toContain("1 only in this run and 0 only in the earlier one");
    expect(printed).toContain("within noise");
  });

  it("names each line with a problem before anything runs", async () => {
    const questions = file("wrong.csv", [
      ...QUESTIONS,
      "x,Where is it?,No such article,,",
      "y,Both?,Asthma,,true",
    ]);
    const run = output("wrong");
    await expect(evaluate(questions, "--output", run)).rejects.toThrow(
      `${questions}:7: give one of document, quote, or should_abstain: true\nNothing was evaluated.`,
    );
    const unknown = file("unknown.csv", [...QUESTIONS, "x,Where is it?,No such article,,"]);
    await expect(evaluate(unknown, "--output", run)).rejects.toThrow(
      `${unknown}:6: document: nothing in public_kb has the id, URL or title "No such article"`,
    );
    expect(() => readRun(run)).toThrow("There is no earlier run");
  });

  it.each([
    [["nowhere.csv"], "There is no questions file at nowhere.csv."],
    [
      ["QUESTIONS", "--model", "gpt-none"],
      "MODELS has no gpt-none. Use one of: footnote-extract-1",
    ],
    [["QUESTIONS", "--account", "acct_none"], "customer_kb:acct_none has no documents."],
    [["QUESTIONS", "--verify", "model"], "--verify model needs VERIFY_MODEL"],
    [["QUESTIONS", "--compare", "nowhere.jsonl"], "There is no earlier run at nowhere.jsonl."],
  ])("rejects %j before anything runs", async (args, message) => {
    const questions = file("args.csv");
    const given = args.map((arg) => (arg === "QUESTIONS" ? questions : arg));
    await expect(evaluate(...given)).rejects.toThrow(message);
  });

  it.each([
    [[], "Name one questions file"],
    [["questions.txt"], "must end in .csv or .jsonl"],
    [["q.csv", "--sources", "public"], "--sources takes knowledge bases"],
    [["q.csv", "--sources", "customer_kb"], "need --account <id>"],
    [["q.csv", "--sources", "personal_kb", "--account", "a"], "personal_kb needs --person"],
    [["q.csv", "--person", "p"], "--person needs --account"],
    [["q.csv", "--top-k", "0"], "--top-k: expected a whole number from 1 to 50"],
    [["q.csv", "--min-score", "high"], "--min-score: expected a number from 0 to 1"],
    [["q.csv", "--concurrency", "0"], "--concurrency takes a whole number from 1 to 64"],
    [["q.csv", "--limit", "-1"], "--limit"],
    [["q.csv", "--query", "first"], "--query takes last or conversation"],
    [["q.csv", "--verify", "twice"], "--verify takes off, rules or model"],
    [["q.csv", "--model", "m", "--no-answers"], "pass one of them"],
    [["q.csv", "--output", "run.json"], "--output takes a file that ends in .jsonl"],
    [["q.csv", "--output", "a.jsonl", "--compare", "a.jsonl"], "name the same file"],
  ])("rejects the arguments %j", (args, message) => {
    expect(() => evaluateCommand(args)).toThrow(message);
  });

  it("stops when a model keeps failing, and asks those questions again the next time", async () => {
    const lines = Array.from({ length: 8 }, (_, at) => `q${at},Question ${at} on asthma?,Asthma,,`);
    const questions = file("failing.csv", [QUESTIONS[0] ?? "", ...lines]);
    const run = output("failing");
    const failing = evaluate(questions, "--model", "scripted-refusing", "--output", run);
    await expect(failing).rejects.toThrow(
      "Stopped after 5 failures in a row. 0 of 8 questions are done. Run it again to continue.",
    );
    expect(readRun(run).results).toEqual([]);
    expect(readFileSync(run, "utf8").trimEnd().split("\n")).toHaveLength(6);
    expect(printed).toContain("line 2: ");
  });

  it("searches the account's own documents when it is named", async () => {
    const { id, key } = await makeKeyedAccount();
    const { json } = await call("POST", "/v1/kb/documents", {
      key,
      body: {
        scope: "customer_kb",
        title: "Ward rules",
        text: "Visitors may come to ward seven between two and four o'clock.",
      },
    });
    await processJob(json.job_id);
    const questions = file("account.csv", [
      QUESTIONS[0] ?? "",
      "ward,When may visitors come to ward seven?,Ward rules,,",
    ]);
    const run = output("account");
    expect(await evaluate(questions, "--account", id, "--output", run)).toBe(0);
    expect(readRun(run).results[0]).toMatchObject({ recall: 1, ndcg: 1 });
    expect(readRun(run).header.settings.sources).toEqual(["public_kb", "customer_kb"]);
    await expect(evaluate(questions)).rejects.toThrow("Ward rules");
  });

  it("searches for a follow-up question with the turns before it when asked to", async () => {
    const turns = [
      { role: "user", content: "What is atrial fibrillation?" },
      { role: "assistant", content: "An irregular heartbeat." },
    ];
    const row = { question: "How is it treated?", document: "Atrial fibrillation", turns };
    const questions = file("follow-up.jsonl", [JSON.stringify(row)]);
    const run = output("turns");
    await evaluate(questions, "--no-answers", "--query", "conversation", "--output", run);
    const [result] = readRun(run).results;
    expect(result?.recall).toBe(1);
    expect(result?.searched_for?.toLowerCase()).toContain("atrial fibrillation");
  });

  it("doesn't count naming a source as an answer", () => {
    const source = { title: "Warfarin", headings: ["Warfarin", "Monitoring"] };
    expect(isNameOf(source, "- Warfarin › Monitoring [1]")).toBe(true);
    expect(isNameOf(source, "Warfarin is monitored [1]")).toBe(false);
    expect(isNameOf(source, "")).toBe(false);
  });

  it("stops at an interruption between two questions with a file that can be continued", async () => {
    const questions = file("stopped.csv");
    const run = output("stopped");
    await evaluate(questions, "--no-answers", "--output", run);
    const { header, results } = readRun(run);
    rmSync(run);
    const stop = new AbortController();
    const opened = openRunOutput(run, header);
    const outcome = await askQuestions(
      results.map((result, at) => toQuestion(result, at + 2)),
      {
        ctx: evaluationContext(header.settings, stop.signal, PUBLIC_ACCOUNT_ID),
        header,
        named: new Map([["Asthma", ["doc_any"]]]),
        output: {
          ...opened,
          append: (line) => {
            opened.append(line);
            stop.abort();
          },
        },
        stop,
      },
    );
    expect(outcome).toMatchObject({ stoppedBy: "Stopped.", failures: [] });
    expect(readRun(run).results.map(({ id }) => id)).toEqual(["asthma"]);
  });
});

function toQuestion({ expected, ...rest }: QuestionResult, line: number) {
  const { documents, quote, should_abstain: shouldAbstain } = expected;
  const { id, question, turns } = rest;
  return { line, id, question, turns, documents, quote, shouldAbstain, sources: null };
}
