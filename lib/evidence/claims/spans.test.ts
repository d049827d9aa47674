import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAnnotations } from "@/lib/answers/citations/annotations";
import type { Citation } from "@/lib/answers/citations/schema";
import { CodePoints } from "@/lib/text/code-points";
import { normalizeMarkers } from "../markers";
import { readSpans } from "./spans";

function spansOf(text: string, markers = normalizeMarkers(text, 999).markers) {
  return readSpans(text, markers).spans;
}

/** Formats each span as "1,3: its text". */
function shown(text: string): string[] {
  return spansOf(text).map((span) => `${span.ids}: ${span.text}`);
}

describe("a span", () => {
  it.each<[string, string[]]>([
    // Before and after the full stop.
    ["Foo helps [1].", ["1: Foo helps"]],
    ["Foo helps.[1]", ["1: Foo helps."]],
    ["Foo helps. [1]", ["1: Foo helps."]],
    ["Foo helps [1]. Bar harms [2].", ["1: Foo helps", "2: Bar harms"]],
    ["Foo helps.[1] Bar harms.[2]", ["1: Foo helps.", "2: Bar harms."]],
    ["Foo helps.[1]Bar harms.[2]", ["1: Foo helps.", "2: Bar harms."]],
    ["Foo helps. [1] Bar harms. [2]", ["1: Foo helps.", "2: Bar harms."]],
    ["Foo helps. Bar harms [2].", ["2: Bar harms"]],
    ["Foo helps [1]. Bar harms.", ["1: Foo helps"]],
    ["It helps.[1] eGFR falls.[2]", ["1: It helps.", "2: eGFR falls."]],
    ["It helps.[1] however, it harms.[2]", ["1: It helps.", "2: however, it harms."]],
    // Several markers, several places.
    ["Foo helps [1][2].", ["1,2: Foo helps"]],
    ["Foo helps [1] and [2].", ["1,2: Foo helps"]],
    ["Foo helps [2], [1].", ["2,1: Foo helps"]],
    ["Foo helps [1], but bar harms [2].", ["1: Foo helps", "2: but bar harms"]],
    ["Foo helps [1] (bar harms [2]).", ["1: Foo helps", "2: (bar harms"]],
    ["Foo helps [1]. [2]", ["1: Foo helps", "2: Foo helps"]],
    ["Foo [1] is bar, which we know.", ["1: Foo"]],
    ["[1] says that foo helps. Bar.", ["1: says that foo helps."]],
    ["According to [1], foo helps.", ["1: foo helps."]],
    ["As shown in [1], foo helps [2].", ["1: foo helps", "2: foo helps"]],
    ["Según [1], foo ayuda.", ["1: foo ayuda."]],
    ["See [1].", ["1: See"]],
    // A line that introduces a quotation.
    ["- Rules › 2. Dose [1]\n  > Take 5 mg. Or 2 mg.", ["1: Take 5 mg. Or 2 mg."]],
    ["**Rules** [1]:\n\n> Take 5 mg.", ["1: Take 5 mg."]],
    ["The rules say [1]:\n> Take 5 mg.\n> Not 2 mg.\n\nRest.", ["1: Take 5 mg.\n> Not 2 mg."]],
    ["Foo helps [1].\n> Take 5 mg.", ["1: Foo helps"]],
    // Full stops that don't end a sentence.
    ["Take sugar, e.g. juice, at once [1].", ["1: Take sugar, e.g. juice, at once"]],
    ["Take it, i.e. the pill [1].", ["1: Take it, i.e. the pill"]],
    ["See it, e.g. [1] or others.", ["1: See it, e.g."]],
    ["Dr. Smith and Prof. Jones agree [1].", ["1: Dr. Smith and Prof. Jones agree"]],
    ["Drug A vs. drug B was equal [1].", ["1: Drug A vs. drug B was equal"]],
    ["It takes approx. 5 days [1].", ["1: It takes approx. 5 days"]],
    ["Keep it under 5.5 mmol/L [1].", ["1: Keep it under 5.5 mmol/L"]],
    ["It fell (p < 0.05) [1]. Then rose.", ["1: It fell (p < 0.05)"]],
    ["See No. 5 and Fig. 3 for it [1].", ["1: See No. 5 and Fig. 3 for it"]],
    [
      "The U.S. Food and Drug Administration agreed [1].",
      ["1: The U.S. Food and Drug Administration agreed"],
    ],
    ["J. R. Smith found it [1].", ["1: J. R. Smith found it"]],
    ["Smith et al. [1] found it.", ["1: Smith et al."]],
    ["Wait ... it helps [1].", ["1: Wait ... it helps"]],
    ["It needs vitamin K. The liver makes it [1].", ["1: The liver makes it"]],
    [
      "It needs vitamin K. [1] Warfarin blocks it [2].",
      ["1: It needs vitamin K.", "2: Warfarin blocks it"],
    ],
    ["The dose is 1,200.50 mg [1].", ["1: The dose is 1,200.50 mg"]],
    ["Vgl. dazu z. B. Müller, ca. 5 mg [1].", ["1: Vgl. dazu z. B. Müller, ca. 5 mg"]],
    [
      "O Dr. Silva e a Sra. Lima dizem que sim [1].",
      ["1: O Dr. Silva e a Sra. Lima dizem que sim"],
    ],
    // Other ends.
    ["Really?! Yes it does! [1] No.", ["1: Yes it does!"]],
    ["Does it help? It does [1].", ["1: It does"]],
    ["He said “it helps.” [1] Then left.", ["1: He said “it helps.”"]],
    ['He said "it helps." [1] Then left.', ['1: He said "it helps."']],
    ["(Foo helps. [1]) Bar [2].", ["1: (Foo helps.", "2: Bar"]],
    ["Foo helps (a bit). [1] Bar.", ["1: Foo helps (a bit)."]],
    ["**Foo helps.** [1] **Bar** harms [2].", ["1: **Foo helps.**", "2: **Bar** harms"]],
    ["Use `a. B` here [1]. Next.", ["1: Use `a. B` here"]],
    // Blocks.
    ["# Dosage [1]\nTake it [2].", ["1: Dosage", "2: Take it"]],
    ["## Dosage\n\nTake it [2].", ["2: Take it"]],
    ["Dosage\n---\nTake it [2].", ["2: Take it"]],
    ["- one [1]\n- two [2]", ["1: one", "2: two"]],
    ["1. one [1]\n2. two [2]", ["1: one", "2: two"]],
    ["- One. Two [1].\n- Three.[2]", ["1: Two", "2: Three."]],
    ["They are:\n- one\n- two [1]", ["1: two"]],
    ["* **Dose:** 5 mg [1]", ["1: **Dose:** 5 mg"]],
    ["- a cough\n  that lasts [1]", ["1: a cough\n  that lasts"]],
    ["| Drug | Dose |\n|---|---|\n| Foo | 5 mg [1] |", ["1: Foo | 5 mg"]],
    ["| A | B |\n|---|---|\n| x [1] | y [2] |", ["1: x", "2: y"]],
    ["> Foo helps [1].\n> Bar harms [2].", ["1: Foo helps", "2: Bar harms"]],
    ["Foo\nhelps [1]. Bar\r\nharms [2].", ["1: Foo\nhelps", "2: Bar\r\nharms"]],
    ["One line\n\nanother [1]", ["1: another"]],
    ["```\nx. [1]\n```\nFoo helps [2].", ["2: Foo helps"]],
    ["Foo helps.\n\n```\nx\n```\n\nBar [1].", ["1: Bar"]],
    ["Foo helps.\n[1]", ["1: Foo helps."]],
    ["[1] Smith A. Foo.\n[2] Jones B. Bar.", ["1: Smith A. Foo.", "2: Jones B. Bar."]],
    // Languages.
    ["阿司匹林有效。[1]布洛芬也有效[2]。", ["1: 阿司匹林有效。", "2: 布洛芬也有效"]],
    ["これは薬です。効きます[1]。", ["1: 効きます"]],
    ["यह दवा है। यह काम करती है [1]।", ["1: यह काम करती है"]],
    ["هل يساعد؟ نعم [1].", ["1: نعم"]],
    ["Помогает ли? Да, помогает [1].", ["1: Да, помогает"]],
    ["¿Ayuda? Sí, ayuda. [1] ¡Bien!", ["1: Sí, ayuda."]],
    ["도움이 됩니다. 안전합니다 [1].", ["1: 안전합니다"]],
    ["ยานี้ช่วยได้ [1]", ["1: ยานี้ช่วยได้"]],
    ["Ça aide : oui [1]. Et après ?", ["1: Ça aide : oui"]],
    // Brackets that aren't markers.
    ["Use `a[1]` and rows[0] or [1](https://a.example).", []],
    ["Nothing is cited. Nothing at all.", []],
    ["", []],
  ])("of %j", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it("counts code points, like its markers", () => {
    const text = "😀 ok 👩‍⚕️. Água 💧 [1].";
    const [span] = spansOf(text);
    const points = [...text];
    expect(span?.text).toBe("Água 💧");
    expect(points.slice(span?.start, span?.end).join("")).toBe("Água 💧");
    const [marker] = span?.markers ?? [];
    expect(points.slice(marker?.start, marker?.end).join("")).toBe("[1]");
  });

  it("uses given markers even where the text reads as an array index", () => {
    const { text, markers } = normalizeMarkers("We call my_list【1†source】.", 4);
    expect(spansOf(text, markers).map(({ ids }) => ids)).toEqual([[1]]);
  });
});

const anyAnswer = fc
  .array(
    fc.constantFrom(
      ..."[1] [2] [1][2] [3]. .[1] word Word. e.g. Dr. 5.5 😀 漢字。 **b** `c.` ``` | - # > ( ) ? ! : , ” x".split(
        " ",
      ),
      ...[" ", "\n", "\n\n", "\n- ", "\n| ", "\r\n", "\n# ", "\n```\n", ". "],
    ),
    { maxLength: 40 },
  )
  .chain((pieces) => fc.constantFrom(pieces.join(" "), pieces.join("")))
  .map((text) => normalizeMarkers(text, 3));

describe("the spans of any answer", () => {
  it("are exact slices by code point, in order, and overlap only when they are the same", () => {
    fc.assert(
      fc.property(anyAnswer, ({ text, markers }) => {
        const points = [...text];
        const spans = spansOf(text, markers);
        for (const [at, span] of spans.entries()) {
          expect(points.slice(span.start, span.end).join("")).toBe(span.text);
          expect(span.text).not.toMatch(/^\s|\s$/);
          const before = spans[at - 1];
          const isSame = before?.start === span.start && before.end === span.end;
          expect(isSame || span.start >= (before?.end ?? 0)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("contain each marker outside of code once, and none in their text", () => {
    fc.assert(
      fc.property(anyAnswer, ({ text, markers }) => {
        const found = spansOf(text, markers);
        const all = found.flatMap((span) => span.markers);
        const points = new CodePoints(text);
        const placed = markers.map(({ start }) => points.toCodePoint(start));
        expect(all.map(({ start }) => start)).toEqual(placed);
        for (const { start, end } of found) {
          expect(placed.filter((place) => place >= start && place < end)).toEqual([]);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe("code points and UTF-16 offsets", () => {
  it("convert in both directions for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const points = new CodePoints(text);
        let offset = 0;
        for (const [at, character] of [...text].entries()) {
          expect(points.toCodePoint(offset)).toBe(at);
          expect(points.toOffset(at)).toBe(offset);
          offset += character.length;
        }
        expect(points.toCodePoint(offset)).toBe([...text].length);
      }),
    );
  });
});

describe("annotations", () => {
  const citation = (id: number): Citation => ({
    id,
    scope: "public_kb",
    chunk_id: `chk_${id}`,
    document_id: `doc_${id}`,
    title: `Title ${id}`,
    source_type: "test",
    similarity: 0.5,
    excerpt: "",
    metadata: {},
  });

  it("cover each marker that has a citation and include its claim", async () => {
    const text = "😀 Água helps [1][2]. No [3].";
    const urlOf = ({ id }: { id: number }) => `https://a.example/${id}`;
    const found = await toAnnotations(spansOf(text), [citation(1), citation(2)], { urlOf });
    const claim = { start_index: 0, end_index: 12, text: "😀 Água helps" };
    const points = [...text];
    expect(
      found.map(({ url_citation: { start_index, end_index } }) =>
        points.slice(start_index, end_index).join(""),
      ),
    ).toEqual(["[1]", "[2]"]);
    expect(found[1]).toEqual({
      type: "url_citation",
      url_citation: {
        start_index: 16,
        end_index: 19,
        title: "Title 2",
        url: "https://a.example/2",
        citation_id: 2,
        claim,
      },
    });
  });

  it("are thousands without keeping others waiting", async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    });
    const urlOf = () => {
      const until = performance.now() + 6;
      while (performance.now() < until) {}
      return "https://a.example/";
    };
    await toAnnotations(spansOf("It helps [1]. ".repeat(20)), [citation(1)], { urlOf });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });
});
