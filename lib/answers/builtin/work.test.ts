import { beforeAll, describe, expect, test } from "vitest";
import { readCorpus } from "@/lib/evidence/questions/candidates";
import type { ModelRequest } from "@/lib/models/schema";
import { type DelimitedSource, delimitSource, escapeSource } from "@/lib/text/delimiters";
import { createExtractModel } from "./model";

const SOURCES = 50;
const CHARACTERS = 20_000;
const MESSAGE_CHARACTERS = 4_000_000;
/** How many times the work on ordinary text hostile text may cost. A quadratic step costs hundreds of times as much. */
const MOST = 25;

const PROSE =
  "Asthma is a chronic disease of the airways that often begins in childhood. It lasts 5 years or more. ";
const LINES = CHARACTERS / 10;
/** Leaves room for what follows it: longer sources are cut. */
const RUN = CHARACTERS - 100;

function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const HOSTILE: [name: string, text: string][] = [
  ["a run of digits", `Asthma lasts ${"1".repeat(CHARACTERS)}`],
  ["sentences of digits", fill(`Asthma lasts ${"1".repeat(3900)} x. `, CHARACTERS)],
  ["a run of blanks in a list", `Asthma signs are: - a - b${" ".repeat(RUN)}x`],
  ["blank lines", fill("\n \n", CHARACTERS)],
  ["a run of brackets", fill("[", CHARACTERS)],
  ["links without an end", fill(`[1](${" ".repeat(400)}`, CHARACTERS)],
  ["a heading of asterisks", `# a${"*".repeat(RUN)}x\n\nAsthma is common.`],
  ["a long heading of many items", `# ${fill("how ", CHARACTERS / 2)}\n\n${"- a\n".repeat(LINES)}`],
  ["a long lead of many lists", `a ${fill("lead ", 2000)}:\n${"- b:\n  - c\n- d\n".repeat(LINES)}`],
  ["items of one word", fill("- asthma\n", CHARACTERS)],
  ["full stops in words", fill("asthma......x", CHARACTERS)],
  ["abbreviations", fill("a.", CHARACTERS)],
  ["inline lists", fill("are: - x", CHARACTERS)],
  ["forms of one word", fill("asthma asthmatic asthmas asthmaing asthmaist ", CHARACTERS)],
];

function repeated(text: string): DelimitedSource[] {
  return Array.from({ length: SOURCES }, (_, at) => ({ number: at + 1, title: "Asthma", text }));
}

function asking(question: string): ModelRequest {
  return { model: "footnote-extract-1", messages: [{ role: "user", content: question }] };
}

/** The CPU milliseconds of an answer: unlike a clock, they don't grow with what else the machine does. */
async function workOn(sources: readonly DelimitedSource[] | null, question: string) {
  const model = createExtractModel(sources?.map(escapeSource) ?? null);
  const before = process.cpuUsage();
  await model.complete(asking(question), new AbortController().signal);
  return process.cpuUsage(before).user / 1000;
}

describe("the work of one request", () => {
  const question = "How long does asthma last? What are its symptoms?";
  let onSources = 0;
  let onMessages = 0;

  beforeAll(async () => {
    onSources = await workOn(repeated(fill(PROSE, CHARACTERS)), question);
    onMessages = await workOn(null, fill(PROSE, MESSAGE_CHARACTERS));
  });

  test.each(HOSTILE)("is bounded for sources with %s", async (_, text) => {
    expect(await workOn(repeated(text), question)).toBeLessThan(MOST * onSources);
  });

  test.each(["how do ", "how is ", "when do ", "which ", "1", " ", "[", "asthma asthmatic "])(
    "is bounded for a question that repeats '%s'",
    async (unit) => {
      const sources = repeated(fill(PROSE, CHARACTERS));
      expect(await workOn(sources, fill(unit, MESSAGE_CHARACTERS))).toBeLessThan(
        MOST * (onSources + onMessages),
      );
    },
  );

  test.each(HOSTILE)("is bounded for 4 MB of forged sources with %s", async (_, text) => {
    const forged = repeated(text).map((source) => delimitSource(source, "123"));
    const prompt = fill(forged.join("\n\n"), MESSAGE_CHARACTERS);
    expect(await workOn(null, prompt)).toBeLessThan(MOST * onMessages);
    expect(await workOn(repeated(PROSE), prompt)).toBeLessThan(MOST * (onSources + onMessages));
  });
});

describe("a corpus", () => {
  test("has a limited number of units, of limited length", () => {
    const { candidates } = readCorpus(repeated(fill("- asthma\n", CHARACTERS)), "en");
    expect(candidates).toHaveLength(6000);
    expect(readCorpus(repeated(`${"1".repeat(CHARACTERS)} Asthma.`), "en").candidates).toHaveLength(
      0,
    );
  });

  test("reads all of what retrieval usually returns", () => {
    const { candidates } = readCorpus(repeated(fill(PROSE, 2000)), "en");
    expect(new Set(candidates.map(({ source }) => source.number)).size).toBe(SOURCES);
  });

  test("shares the terms of a heading among the sentences below it", () => {
    const [first, second] = readCorpus(
      [{ number: 1, title: "Asthma", text: "# Care at home\n\nOne is one. Two is two." }],
      "en",
    ).candidates;
    expect(first?.label).toBe(second?.label);
    expect(first?.label.headings).toContain("home");
  });
});
