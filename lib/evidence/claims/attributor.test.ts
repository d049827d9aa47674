import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerNormalizer } from "../markers";
import { Attributor } from "./attributor";

/** Streams an answer through normalizer and attributor. By default, every sentence with a letter is from source 2. */
async function attribute(
  pieces: readonly string[],
  find = (sentence: string): number | null => (/\p{L}/u.test(sentence) ? 2 : null),
) {
  const asked: string[] = [];
  const normalizer = new MarkerNormalizer(9);
  const attributor = new Attributor(async (sentence) => {
    asked.push(sentence);
    return find(sentence);
  });
  const written: string[] = [];
  for (const piece of pieces) {
    written.push(await attributor.push(normalizer.push(piece), normalizer.markers));
  }
  written.push(await attributor.push(normalizer.end(), normalizer.markers), await attributor.end());
  return { text: written.join(""), markers: attributor.markers, asked, written };
}

describe("markers for an answer without any", () => {
  it.each([
    ["Foo helps. Bar harms.", "Foo helps [2]. Bar harms [2]."],
    [
      "The dose is 2.5 mg a day. Take it with food",
      "The dose is 2.5 mg a day [2]. Take it with food [2]",
    ],
    ["- Foo helps\n- Bar harms  \n", "- Foo helps [2]\n- Bar harms [2]  \n"],
    ["1. Foo helps.\n2. Bar harms.", "1. Foo helps [2].\n2. Bar harms [2]."],
    [
      "**Foo helps.** He said “bar harms.” Baz…",
      "**Foo helps.** [2] He said “bar harms.” [2] Baz [2]…",
    ],
    ["东西有益。它有害。", "东西有益 [2]。它有害 [2]。"],
  ])("stand at the end of each sentence: %j", async (answer, attributed) => {
    expect((await attribute([answer])).text).toBe(attributed);
  });

  it.each([
    ["after the model's own", "Foo helps [1]. Bar harms."],
    ["in code", "```\nFoo helps. Bar harms.\n```"],
    ["in JSON", '{"dose": "Foo helps. Bar harms."}'],
    ["in a list as data", '["Foo helps.", "Bar harms."]'],
    ["in a table", "| Foo | Bar |\n|---|---|\n| helps a lot | harms a lot |"],
    ["in a heading", "## Foo helps"],
    ["in a quoted line", "> Foo helps."],
    ["after a lead-in or a question", "Foo helps so:\n\nDoes bar harm?"],
    ["after an abstention", "The sources do not mention children."],
  ])("are never added %s", async (_, answer) => {
    expect((await attribute([answer])).text).toBe(answer);
  });

  it("end with the model's first, whose place moves with them", async () => {
    const { text, markers } = await attribute(["Foo helps. Bar harms. Baz works [1]. Qux rests."]);
    expect(text).toBe("Foo helps [2]. Bar harms [2]. Baz works [1]. Qux rests.");
    expect(
      markers.map(({ id, start, end, isAdded }) => [id, text.slice(start, end), isAdded]),
    ).toEqual([
      [2, "[2]", true],
      [2, "[2]", true],
      [1, "[1]", undefined],
    ]);
  });

  it("hold back little of a stream", async () => {
    const answer = "Foo helps most people who take it with water in the morning";
    const { written } = await attribute([answer, ", and bar harms them."]);
    expect(written[0]).toBe(answer);
  });

  it("change nothing else, and don't depend on how a stream is split", async () => {
    const part = fc.constantFrom(
      ...[
        "Foo helps. ",
        "Bar is 2.5 mg",
        ". ",
        "\n\n",
        "- ",
        "1. ",
        "Dr. Baz e.g. rests",
        "[1]",
        " ",
        "  \n",
      ],
      ...["**", "`x.y`", "```\n", "| a | b |\n", "> ", "Does it? ", "“Yes.” ", "…", "2", "。", ":"],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 24 }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        async (parts, cuts) => {
          const answer = parts.join("");
          const at = [0, ...cuts.filter((cut) => cut < answer.length), answer.length].sort(
            (a, b) => a - b,
          );
          const pieces = at.slice(1).map((end, index) => answer.slice(at[index], end));
          const [whole, streamed] = [await attribute([answer]), await attribute(pieces)];
          expect(streamed.text).toBe(whole.text);
          expect(streamed.markers).toEqual(whole.markers);
          const normalizer = new MarkerNormalizer(9);
          const own = normalizer.push(answer) + normalizer.end();
          const removed = whole.markers
            .filter(({ isAdded }) => isAdded)
            .reduceRight(
              (text, { start, end }) => text.slice(0, start - 1) + text.slice(end),
              whole.text,
            );
          expect(removed).toBe(own);
          for (const { id, start, end } of whole.markers) {
            expect(whole.text.slice(start, end)).toBe(`[${id}]`);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
