import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerNormalizer, normalizeMarkers } from "./markers";
import examples from "./markers/examples.json" with { type: "json" };

const SOURCES = 5;
const SEED = 20_261_128;

/** Expects the same result however a stream is cut. */
function expectSameCut(text: string): void {
  const whole = normalizeMarkers(text, SOURCES);
  for (let at = 0; at <= text.length; at += 1) {
    const normalizer = new MarkerNormalizer(SOURCES);
    const pieces = [normalizer.push(text.slice(0, at)), normalizer.push(text.slice(at))];
    expect(pieces.join("") + normalizer.end(), `cut at ${at}`).toBe(whole.text);
    expect(normalizer.report).toEqual(whole.report);
  }
}

function expectUnchanged(text: string): void {
  const { text: output, markers } = normalizeMarkers(text, SOURCES);
  expect(output).toBe(text);
  expect(markers).toEqual([]);
  expectSameCut(text);
}

describe("brackets of numbers that are no citations", () => {
  it.each(examples.text)("stay as they are: %j", expectUnchanged);
});

describe("markers, ours and those of other systems", () => {
  it.each(examples.markers as [string, string, number[]][])(
    "%j becomes %j",
    (text, expected, ids) => {
      const { text: output, markers } = normalizeMarkers(text, SOURCES);
      expect(output).toBe(expected);
      expect(markers.map(({ id }) => id)).toEqual(ids);
      expectSameCut(text);
    },
  );
});

const numbers = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 4 });
const list = numbers.map((all) => `[${all.join(", ")}]`);
const several = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 4 })
  .map((all) => `[${all.join(", ")}]`);
const one = fc.integer({ min: 0, max: 12 }).map((number) => `[${number}]`);
const names = fc.array(
  fc
    .tuple(
      fc.constantFrom("doc", "source", "ref", "web", "chunk", "cite", "key"),
      fc.integer({ min: 1, max: 12 }),
    )
    .map((all) => all.join("_")),
  { minLength: 1, maxLength: 3 },
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    numbers,
    fc.constantFrom("ok [1], so [2]", "[web:1]", "[cite_start]ok [cite: 1]", "[REF]1[/REF]"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("doses", "ids", "a b", 'say "[1]"'), tie("value"), {
    minKeys: 1,
    maxKeys: 3,
  }),
})).object;
const json = fc
  .tuple(data, fc.constantFrom(0, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const code = fc.oneof(
  list.map((each) => `doses = ${each}`),
  list.map((each) => `const ids: number[] = ${each};`),
  several.map((each) => `print(max(${each}))`),
  several.map((each) => `np.array(${each}).sum()`),
  several.map((each) => `    return ${each}`),
  several.map((each) => `for dose in ${each}:`),
  several.map((each) => `SELECT ARRAY${each};`),
  fc.tuple(several, several).map(([a, b]) => `m = [${a}, ${b}]`),
  fc.tuple(several, several).map(([a, b]) => `plot(${a}, ${b})`),
  one.map((each) => `total += doses${each}`),
  list.map((each) => `doses: ${each}`),
  names.map((each) => `docs = [${each.join(", ")}]`),
  names.map((each) => `load([${each.join(", ")}], top=1)`),
  names.map(([each]) => `self.docs[${each}].text`),
);
const prose = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("Give", "Take", "She took"),
      one,
      fc.constantFrom("mg", "tablets", "doses"),
    )
    .map((all) => `${all.join(" ")}.`),
  several.map((each) => `The values are ${each}.`),
  several.map((each) => `INR targets: ${each} for AF.`),
  several.map((each) => `The score (range ${each}) is low.`),
  several.map((each) => `The 95% CI ${each} is wide.`),
  one.map((each) => `It lasts for ${each} days.`),
  one.map((each) => `The answer = ${each}.`),
  several.map((each) => `| dose | ${each} |`),
  several.map((each) => `[[ ## doses ## ]]\n${each}`),
  several.map((each) => `- ${each}`),
);
const lines = (line: fc.Arbitrary<string>) =>
  fc.array(line, { minLength: 1, maxLength: 4 }).map((all) => all.join("\n"));

describe.each([
  ["JSON", json],
  ["JSON behind a sentence", json.map((each) => `Here it is:\n${each}\nThat is all.`)],
  ["code", lines(code)],
  ["an element of code", lines(code).map((each) => `Thought: add them.\n<code>\n${each}\n</code>`)],
  ["prose", lines(prose)],
])("for any %s", (_, texts) => {
  it("text in is text out, plain and streamed, on every cut", () => {
    fc.assert(fc.property(texts, expectUnchanged), { seed: SEED, numRuns: 300 });
  });
});

describe("what looks like a marker and is left", () => {
  it.each([
    ["Give [5] mg, then [7] mg.", 2],
    ["INR targets: [2, 3]; see [1].", 1],
    ["It helps <|file-abc|> a lot.", 1],
    ["matrix = [[1, 2], [3, 4]]", 2],
    ["It helps [file:1] and [turn0search1], said [memory_2].", 3],
    ["See [attached_file:1]; [a](b.html) [key_1](c.html) [note_1]: [12:30] [Table 1].", 1],
    ["Give [doc_1] mg. x = [web:1]", 2],
    ["It helps [1, 2][9]. `[7]` ```[8]``` [text][3] [2020]", 0],
  ])("is counted once: %j", (text, count) => {
    expect(normalizeMarkers(text, SOURCES).report.unknown).toBe(count);
    expectSameCut(text);
  });
});

describe("an answer that is cut off at its limit", () => {
  const cutOff = (text: string) => {
    const whole = new MarkerNormalizer(SOURCES);
    const output = whole.push(text) + whole.end({ isCut: true });
    const pieces = new MarkerNormalizer(SOURCES);
    const streamed = [...text].map((each) => pieces.push(each)).join("");
    expect(streamed + pieces.end({ isCut: true })).toBe(output);
    return { output, ids: whole.markers.map(({ id }) => id) };
  };

  it.each<[string, string, number[]]>([
    ["A sign of stroke [1", "A sign of stroke", []],
    ["A sign of stroke [", "A sign of stroke", []],
    ["A sign of stroke [1,", "A sign of stroke", []],
    ["A sign of stroke [1-", "A sign of stroke", []],
    ["A sign of stroke [1][2", "A sign of stroke [1]", [1]],
    ["A sign of stroke [1], [2", "A sign of stroke [1],", [1]],
    ["A sign of stroke ([1", "A sign of stroke", []],
    ["A sign of stroke [[1]", "A sign of stroke [[1]", [1]],
    ["A sign of stroke [^1", "A sign of stroke", []],
    ["A sign of stroke [Sou", "A sign of stroke", []],
    ["A sign of stroke [Source 1: Stro", "A sign of stroke", []],
    ["A sign of stroke 【1†so", "A sign of stroke", []],
    ["A sign of stroke \ue200cite\ue202turn0", "A sign of stroke", []],
    ["A sign of stroke <sup>1</s", "A sign of stroke", []],
    ["A sign of stroke ##1$", "A sign of stroke", []],
    ["A sign of stroke [web", "A sign of stroke", []],
    ["A sign of stroke [doc_", "A sign of stroke", []],
    ["A sign of stroke. [cite_sta", "A sign of stroke.", []],
    ["A sign of stroke [REF]1[/R", "A sign of stroke", []],
    ["A sign of stroke [‡1", "A sign of stroke", []],
    ['A sign of stroke <source id="1', "A sign of stroke", []],
    ["A sign.\n[2", "A sign.\n", []],
    ["A sign of stroke [1]", "A sign of stroke [1]", [1]],
    ["doses = [1", "doses = [1", []],
    ["the range [1, 2", "the range [1, 2", []],
    ["see [the guideline", "see [the guideline", []],
    ["`rows[1", "`rows[1", []],
    ['{"doses": [1', '{"doses": [1', []],
    ["A sign (of stroke", "A sign (of stroke", []],
  ])("%j ends as %j", (text, expected, ids) => {
    expect(cutOff(text)).toEqual({ output: expected, ids });
  });

  it("keeps half a marker if the answer ended by itself", () => {
    expect(normalizeMarkers("A sign of stroke [1", SOURCES).text).toBe("A sign of stroke [1");
  });
});
