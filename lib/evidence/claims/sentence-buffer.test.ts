import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerNormalizer, normalizeMarkers } from "../markers";
import type { PlacedMarker } from "../markers/output-buffer";
import { type BufferedClaim, SentenceBuffer } from "./sentence-buffer";
import { readSpans } from "./spans";

const SOURCES = 9;

interface Run {
  output: string;
  markers: readonly PlacedMarker[];
  stripped: readonly { id: number; claim: string }[];
  /** The claims of each call to `decide`. */
  calls: { text: string; ids: number[]; markers: PlacedMarker[] }[][];
  /** The output after each piece and at the end. */
  pieces: string[];
}

type Judge = (claim: BufferedClaim, marker: PlacedMarker) => boolean;

/** Streams a text through normalizer and buffer; `isTaken` selects the markers to remove. */
async function run(given: readonly string[], isTaken: Judge): Promise<Run> {
  const calls: Run["calls"] = [];
  const normalizer = new MarkerNormalizer(SOURCES);
  const hold = new SentenceBuffer(async (claims) => {
    calls.push(structuredClone(claims));
    await Promise.resolve();
    return new Set(claims.flatMap((claim) => claim.markers.filter((one) => isTaken(claim, one))));
  });
  const pieces: string[] = [];
  for (const piece of given) {
    pieces.push(await hold.push(normalizer.push(piece), normalizer.markers));
  }
  pieces.push(await hold.push(normalizer.end(), normalizer.markers));
  pieces.push(await hold.end());
  const { markers, stripped } = hold;
  return { output: pieces.join(""), markers, stripped, calls, pieces };
}

/** Removes about half of the markers, depending only on their claims. */
const byText: Judge = ({ text }, { id }) =>
  [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), id) % 2 === 0;

const never: Judge = () => false;

/** The answer without the markers of these sources. */
async function strippedOf(text: string, ids: readonly number[]): Promise<string> {
  const { output, markers, stripped } = await run([text], (_, { id }) => ids.includes(id));
  for (const { id, start, end } of markers) {
    expect(output.slice(start, end)).toBe(`[${id}]`);
  }
  expect(markers.length + stripped.length).toBe(normalizeMarkers(text, SOURCES).markers.length);
  return output;
}

describe("stripping markers", () => {
  it.each<[string, number[], string]>([
    ["Foo helps [1].", [1], "Foo helps."],
    ["Foo helps.[1] Bar harms.[2]", [1], "Foo helps. Bar harms.[2]"],
    ["Foo helps. [1] Bar harms. [2]", [1], "Foo helps. Bar harms. [2]"],
    ["Foo helps. [1] Bar harms. [2]", [2], "Foo helps. [1] Bar harms."],
    ["Foo helps.[1]Bar harms.", [1], "Foo helps. Bar harms."],
    ["Foo [1] helps.", [1], "Foo helps."],
    ["Foo[1] helps.", [1], "Foo helps."],
    ["Foo [1]helps.", [1], "Foo helps."],
    ["Foo[1]helps.", [1], "Foo helps."],
    ["阿司匹林[1]有效。", [1], "阿司匹林有效。"],
    ["Foo helps [1][2].", [1], "Foo helps [2]."],
    ["Foo helps [1][2].", [2], "Foo helps [1]."],
    ["Foo helps [1] and [2].", [1], "Foo helps [2]."],
    ["Foo helps [1] and [2].", [2], "Foo helps [1]."],
    ["Foo helps [1], [2] and [3].", [2], "Foo helps [1] and [3]."],
    ["Foo helps [1] and [2].", [1, 2], "Foo helps."],
    ["Foo helps (see [1]).", [1], "Foo helps (see a source)."],
    ["Foo helps ([1], table 2).", [1], "Foo helps (table 2)."],
    ["Foo helps<sup>[1]</sup>.", [1], "Foo helps."],
    ["Foo helps **[1]**.", [1], "Foo helps."],
    ["**Foo**[1]**bar**", [1], "**Foo** **bar**"],
    ["Foo, [1], and bar.", [1], "Foo, and bar."],
    ["Foo helps. [1].", [1], "Foo helps."],
    ["Foo helps [1] .", [1], "Foo helps."],
    ["[1] Foo helps.", [1], "Foo helps."],
    ["- [1] Foo helps.\n- Bar [2]", [1], "- Foo helps.\n- Bar [2]"],
    ["Foo.\n- [1]\n- [2]\n\nBar.", [1], "Foo.\n- [2]\n\nBar."],
    ["Foo.\n- [1]\n- [2]\n\nBar.", [1, 2], "Foo.\n\nBar."],
    ["Foo.\n[1]\nBar.", [1], "Foo.\nBar."],
    ["Foo.\n\n[1]\n\nBar.", [1], "Foo.\n\nBar."],
    ["Foo.\n[1]", [1], "Foo."],
    ["Foo [1]  \nbar.", [1], "Foo  \nbar."],
    ["| Foo | [1] |\n| Bar | [2] |", [1], "| Foo | |\n| Bar | [2] |"],
    ["> Foo [1]\n> bar [2]", [2], "> Foo [1]\n> bar"],
    ["According to [1], foo helps.", [1], "According to a source, foo helps."],
    ["Foo helps [1].", [], "Foo helps [1]."],
  ])("from %j for sources %j results in %j", async (text, ids, expected) => {
    expect(await strippedOf(text, ids)).toBe(expected);
  });
});

/** Answers as models write them. */
const ANSWERS = [
  "Warfarin is monitored with the INR [1]. The usual target is 2.0 to 3.0 [2][3]. Keep vitamin K intake steady, e.g. greens, from week to week [1].",
  "Take 500 mg twice daily.[1] Do not exceed 4 g in 24 h.[2] Dr. Smith et al. disagree [3].",
  "Fever usually lasts 3 days. [1] See a doctor after 5 days. [2] Keep glucose under 5.5 mmol/L, i.e. 99 mg/dL [3].",
  "## Treatment\n\n- **Rest** and fluids [1]\n- Ibuprofen 400 mg, max. 3 times a day [2]\n  with food [3]\n- Call 911 if it gets worse\n\nThat is all [1].",
  "| Drug | Dose |\n|---|---|\n| Ibuprofen | 400 mg [1] |\n| Paracetamol | 500 mg. Max 4 g. [2] |\n\nBoth help [1][2].",
  "First the code:\n\n```python\nx = a[1]  # not. a. marker [2]\nprint(x)\n```\n\nIt prints the second item [1]. Done.",
  "~~~\nno end. [1]\nof code [2]",
  "1. Wash it. Dry it [1].\n2. Cover it [2]\n3. See No. 5 and Fig. 3 [3].\n\nSources:\n[1]\n[2]\n[3]",
  "According to [1], aspirin helps. As shown in [2], it harms [3]. It helps [4], but bar harms (see [5]), which is known [6].",
  "阿司匹林有效。[1]布洛芬也有效[2]。これは薬です。効きます[3]。",
  "El fármaco ayuda [1]. ¿Duele? Sí, p. ej. de noche [2]. ¡Bien! [3]",
  "No marker here. None there either.\n\nNor in this paragraph, which goes on.",
  "> Quoted words [1].\n> More of them [2].\n\nSaid *the author* [3]. **Bold claim [4].** _Weak_ one. [5]",
  "[1] says that foo helps. Bar.\n\n[1] Smith A. Foo. 2020.\n[2] Jones B. Bar. 2021.",
  "They include: - fever [1] - chills [2] - pain. Then rest [3].",
  "The U.S. Food and Drug Administration agreed [1]. It needs vitamin K. The liver makes it [2]. Wait ... it helps [3].",
  "Inline `a. B` code [1]. Use `x[1]` and \\\\(y_{1}[2]\\\\) too [2]. Next 😀. Another 👩‍⚕️ sign [3]!",
  "Line one.[1]\r\nLine two [2].\r\n\r\n- item [3]\r\n",
  "  Leading blanks [1].   Many    blanks   [2] .  Trailing [3]   ",
  "Dosage\n======\nTake it [1].\n\n***\n\nSide effects\n---\nNausea [2]; vomiting [3], and pain [4].",
  "Foo helps. [1][2] and [3] Bar. He said “it helps.” [1] Then left (for good. [2]) Really?! Yes! [3]",
  "```\ncode\n```\n[1]\n\nText [2].\n```\nmore\n",
  "Run this. Then run that, with all the words that it may need:\n\n```js\nrun();\n```\n[1]\n\nIt runs [2]. It ends.\n\n~~~py\nx\n~~~\n\n[3] [4]",
];

describe("the claims passed to decide", () => {
  it.each(ANSWERS)("match those of the annotations: %j", async (answer) => {
    const { calls, output } = await run([answer], never);
    const { text, markers } = normalizeMarkers(answer, SOURCES);
    expect(output).toBe(text);
    expect(calls.flat().map((claim) => [claim.text, claim.ids])).toEqual(
      readSpans(text, markers).spans.map((span) => [span.text, span.ids]),
    );
    expect(calls.flat().flatMap((claim) => claim.markers)).toEqual(markers);
  });
});

/** Sentences beyond the maximum length and the lookahead. */
const LONG_ANSWERS = [
  `${"A very long sentence without an end, ".repeat(80)}which ends at last [1]. Then a short one [2].`,
  `${"Marked [1], ".repeat(300)}and done [2].`,
  `${"no end".repeat(500)}[1]${"blank".repeat(900)} [2].`,
  "[1] ".repeat(1200),
  "```\n".repeat(700),
  "```".repeat(700),
  `x [1]. ${"- e.g. ".repeat(400)}[2] : - one - two [3].`,
  `${"😀".repeat(1500)} [1].`,
  `${".".repeat(1999)} [1] [2]. Word.`,
  // Text that would join earlier sentences.
  `Run \`one. Two three ${"four ".repeat(12)}. Five\` now [1]. Then \`six\` [2].`,
  `It is over. ${"12 ".repeat(30)} and on [1]. Then [2].`,
];

describe("a sentence longer than 2,000 characters", () => {
  it("is judged in parts", async () => {
    const [long = "", marked = ""] = LONG_ANSWERS;
    const one = (await run([long], never)).calls.flat();
    expect(one.map(({ ids }) => ids)).toEqual([[1], [2]]);
    expect(one[0]?.text).toMatch(/^very long sentence .* which ends at last$/);
    expect(one[0]?.text.length).toBeLessThan(2000);
    const two = (await run([marked], never)).calls;
    expect(two.length).toBeGreaterThan(1);
    expect(new Set(two.flat().map(({ text }) => text))).toEqual(new Set(["Marked", "and done"]));
  });

  it("is never buffered much longer than that", async () => {
    for (const answer of LONG_ANSWERS) {
      const normalizer = new MarkerNormalizer(SOURCES);
      const hold = new SentenceBuffer(async () => new Set());
      let [given, gone] = [0, 0];
      for (const piece of answer.match(/[\s\S]{1,7}/gu) ?? []) {
        const normalized = normalizer.push(piece);
        given += normalized.length;
        gone += (await hold.push(normalized, normalizer.markers)).length;
        expect(given - gone).toBeLessThan(2100);
      }
    }
  });
});

describe("the sentence buffer", () => {
  const hold = () => new SentenceBuffer(async () => new Set());

  it("releases a sentence without markers once the next one has begun", async () => {
    const buffer = hold();
    expect(await buffer.push("Aspirin thins the blood. ", [])).toBe("");
    expect(await buffer.push("It is also known to protect the heart, as ", [])).toBe("");
    expect(await buffer.push("many trials", [])).toBe("Aspirin thins the blood. ");
    expect(await buffer.end()).toBe("It is also known to protect the heart, as many trials");
  });

  it("releases code at once", async () => {
    const buffer = hold();
    const rest = "a line that is long enough to look at.\n";
    expect(await buffer.push(`Use this.\n\`\`\`js\nconst one = 1;\n${rest}`, [])).toContain(rest);
    expect(await buffer.push("two. ", [])).toBe("two. ");
    expect(await buffer.push("Three", [])).toBe("Three");
  });

  it("waits for decisions, which run concurrently for all complete sentences", async () => {
    const { text, markers } = normalizeMarkers(`${"It helps a lot [1]. ".repeat(6)}End.`, SOURCES);
    let waiting = 0;
    let most = 0;
    const buffer = new SentenceBuffer(async () => {
      waiting += 1;
      most = Math.max(most, waiting);
      await new Promise(setImmediate);
      waiting -= 1;
      return new Set();
    });
    expect((await buffer.push(text, markers)) + (await buffer.end())).toBe(text);
    expect(most).toBeGreaterThan(1);
  });

  it("rejects when a decision fails", async () => {
    const buffer = new SentenceBuffer(async () => {
      throw new Error("no judge");
    });
    const { text, markers } = normalizeMarkers("It helps [1].", SOURCES);
    await buffer.push(text, markers);
    await expect(buffer.end()).rejects.toThrow("no judge");
  });

  it("judges a marker inside a code block by the sentence before it", async () => {
    const text = "It helps.\n\n~~~\nx [1] y\n~~~\n";
    const at = text.indexOf("[1]");
    const given: string[] = [];
    const buffer = new SentenceBuffer(async (claims) => {
      given.push(...claims.map((claim) => claim.text));
      return new Set(claims.flatMap((claim) => claim.markers));
    });
    const output = await buffer.push(text, [{ id: 1, start: at, end: at + 3 }]);
    expect(output + (await buffer.end())).toBe("It helps.\n\n~~~\nx  y\n~~~\n");
    expect(given).toEqual(["It helps."]);
    expect(buffer.stripped).toEqual([{ id: 1, claim: "It helps." }]);
  });
});

/** A text in pieces, by where it is cut. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, at) => text.slice(start, places[at] ?? text.length));
}

const cutting = fc.oneof(
  fc.array(fc.nat({ max: 5000 }), { maxLength: 40 }),
  fc.integer({ min: 1, max: 9 }).map((step) => Array.from({ length: 600 }, (_, at) => at * step)),
);

/** Random texts from parts that matter to sentences and markers. */
const bits = (
  "Foo |bar |e.g. |U.S. |5.5 |. |.|! |? |\n|\n\n|- |1. || |# |> |[1]| [1]|[2]|[3] | ([2])|, |; |and |(|) |`|```\n|~~~\n|" +
  "**|*|_|: |。|文字|😀|e\u0301|\t|   |\r\n|\u00a0|\\\\(|\\\\)|$$|<sup>|</sup>|“|” |et al. |No. 5|--- |---\n|=|…|: - a - b |The "
)
  .split("|")
  .concat("|", "| ", "[", "]", "2]", "[[", "1");
const generated = fc
  .array(fc.constantFrom(...bits), { maxLength: 120 })
  .map((parts) => parts.join(""));

/** The result without its timing. */
function whole({ pieces: _pieces, ...rest }: Run): Omit<Run, "pieces"> {
  return rest;
}

describe("streaming", () => {
  const known = new Map<string, Promise<Run>>();
  /** The result for a text in one piece. */
  function inOne(text: string): Promise<Run> {
    const running = known.get(text) ?? run([text], byText);
    known.set(text, running);
    return running;
  }

  it.each([
    ["answers", fc.constantFrom(...ANSWERS), 2000],
    ["long answers", fc.constantFrom(...LONG_ANSWERS), 200],
    ["generated texts", generated, 2000],
  ])(
    "has the same output, markers and calls as in one piece: %s",
    async (_name, texts, numRuns) => {
      await fc.assert(
        fc.asyncProperty(texts, cutting, async (text, cuts) => {
          const split = await run(pieces(text, cuts), byText);
          expect(whole(split)).toEqual(whole(await inOne(text)));
        }),
        { numRuns, seed: 20261124 },
      );
    },
    60_000,
  );

  it("returns the normalized text unchanged when nothing is removed", async () => {
    await fc.assert(
      fc.asyncProperty(generated, cutting, async (text, cuts) => {
        const { output, markers, stripped, calls } = await run(pieces(text, cuts), never);
        const normalized = normalizeMarkers(text, SOURCES);
        expect(output).toBe(normalized.text);
        expect(markers).toEqual(normalized.markers);
        expect(stripped).toEqual([]);
        expect(calls.flat().flatMap((claim) => claim.markers)).toEqual(normalized.markers);
      }),
      { numRuns: 1000, seed: 20261124 },
    );
  });

  it("reports remaining and removed markers", async () => {
    await fc.assert(
      fc.asyncProperty(generated, async (text) => {
        const { output, markers, stripped, calls } = await run([text], byText);
        for (const { id, start, end } of markers) {
          expect(output.slice(start, end)).toBe(`[${id}]`);
        }
        const claims = calls.flat();
        const ids = (isTaken: boolean) =>
          claims.flatMap((claim) =>
            claim.markers.filter((one) => byText(claim, one) === isTaken).map(({ id }) => id),
          );
        expect(markers.map(({ id }) => id)).toEqual(ids(false));
        expect(stripped.map(({ id }) => id)).toEqual(ids(true));
      }),
      { numRuns: 1000, seed: 20261124 },
    );
  });

  it("creates no marker from the text around a removed one", async () => {
    const count = (text: string) => text.match(/\[\d+\]/g)?.length ?? 0;
    await fc.assert(
      fc.asyncProperty(generated, async (text) => {
        const { output, stripped } = await run([text], byText);
        expect(count(output)).toBe(count(normalizeMarkers(text, SOURCES).text) - stripped.length);
      }),
      { numRuns: 2000, seed: 20261124 },
    );
  });

  it("removes only markers, blanks, line breaks and empty brackets, and completes phrases", async () => {
    const bare = (text: string) => text.replace(/\ba source\b|[^\p{L}]|and|su[bp]/gu, "");
    await fc.assert(
      fc.asyncProperty(fc.oneof(generated, fc.constantFrom(...ANSWERS)), async (text) => {
        const { output } = await run([text], () => true);
        expect(bare(output)).toBe(bare(normalizeMarkers(text, SOURCES).text));
      }),
      { numRuns: 1000, seed: 20261124 },
    );
  });
});
