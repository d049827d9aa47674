import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { guessMarkers, locateClaims } from "./places";
import { cut, toSegments } from "./segments";

/** An annotation for the marker and claim at these code-point ranges. */
function annotation(
  marker: [number, number],
  claim: [number, number],
  more: Partial<UrlCitation["url_citation"]> = {},
): UrlCitation {
  return {
    type: "url_citation",
    url_citation: {
      start_index: marker[0],
      end_index: marker[1],
      title: "A",
      url: "https://example.org",
      citation_id: 1,
      claim: { start_index: claim[0], end_index: claim[1], text: "" },
      ...more,
    },
  };
}

function verified(...claims: [number, number, Verification["claims"][number]["verdict"]][]) {
  return {
    claims: claims.map(([start_index, end_index, verdict]) => ({
      start_index,
      end_index,
      verdict,
      score: 0,
      method: "rules" as const,
      reason: null,
      text: "",
      citation_ids: [1],
    })),
  } as unknown as Verification;
}

/** Prints segments as `text`, `text<verdict>` or `{marker}`. */
function pieces(
  content: string,
  annotations: UrlCitation[] | undefined,
  verification?: Verification,
): string[] {
  const places = locateClaims({ content, annotations, verification });
  return toSegments(content.length, places).map(({ start, end, marker, claim }) => {
    const text = content.slice(start, end);
    return marker ? `{${text}}` : `${text}${claim ? `<${claim.verdict}>` : ""}`;
  });
}

describe("toSegments", () => {
  it("splits at the boundaries of claims and markers", () => {
    const content = "First. [1] Second [2].";
    expect(
      pieces(
        content,
        [annotation([7, 10], [0, 6]), annotation([18, 21], [11, 17])],
        verified([0, 6, "supported"], [11, 17, "contradicted"]),
      ),
    ).toEqual(["First.<supported>", " ", "{[1]}", " ", "Second<contradicted>", " ", "{[2]}", "."]);
  });

  it("counts an astral character before a marker as one code point", () => {
    const content = "🫀🧠 aspirin 𝛂 [1] é";
    const at = [...content].indexOf("[");
    expect(pieces(content, [annotation([at, at + 3], [0, at - 1])])).toEqual([
      "🫀🧠 aspirin 𝛂",
      " ",
      "{[1]}",
      " é",
    ]);
  });

  it("uses the worst verdict where claims overlap, without duplicating text", () => {
    expect(pieces("abcdef", [], verified([0, 4, "supported"], [2, 6, "unsupported"]))).toEqual([
      "ab<supported>",
      "cd<unsupported>",
      "ef<unsupported>",
    ]);
    expect(pieces("abcdef", [], verified([0, 6, "contradicted"], [2, 4, "partial"]))).toEqual([
      "ab<contradicted>",
      "cd<contradicted>",
      "ef<contradicted>",
    ]);
  });

  it("falls back to the sources' own verdicts without a combined one", () => {
    const judged = (verdict: "supported" | "partial" | "contradicted") => ({
      verification: { verdict, score: 1, method: "rules" as const, reason: null },
    });
    const content = "Words [1][2]";
    expect(
      pieces(content, [
        annotation([6, 9], [0, 5], judged("partial")),
        annotation([9, 12], [0, 5], judged("supported")),
      ])[0],
    ).toBe("Words<supported>");
    expect(
      pieces(content, [
        annotation([6, 9], [0, 5], judged("supported")),
        annotation([9, 12], [0, 5], judged("contradicted")),
      ])[0],
    ).toBe("Words<contradicted>");
  });

  it("drops ranges that are outside the text or reversed", () => {
    const wrong = [
      annotation([90, 93], [0, 3]),
      annotation([3, 1], [0, 2]),
      annotation([-4, 2], [5, 5]),
    ];
    expect(pieces("abc", wrong, verified([2, 99, "partial"], [-1, 1, "partial"]))).toEqual(["abc"]);
  });

  it("never splits a marker, and keeps the first of two overlapping ones", () => {
    expect(
      pieces(
        "ab [1] cd",
        [annotation([3, 6], [0, 2]), annotation([4, 6], [0, 2])],
        verified([0, 4, "partial"], [5, 9, "supported"]),
      ),
    ).toEqual(["ab<partial>", " <partial>", "{[1]}", " cd<supported>"]);
  });

  it("covers the whole text in order, for any claims and markers", () => {
    const place = fc.tuple(fc.integer({ min: -2, max: 30 }), fc.integer({ min: -2, max: 30 }));
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 25 }),
        fc.array(fc.tuple(place, place), { maxLength: 6 }),
        fc.array(
          fc.tuple(
            fc.nat(30),
            fc.nat(30),
            fc.constantFrom("supported" as const, "partial" as const),
          ),
          { maxLength: 6 },
        ),
        (content, markers, claims) => {
          const segments = toSegments(
            content.length,
            locateClaims({
              content,
              annotations: markers.map(([marker, claim]) => annotation(marker, claim)),
              verification: verified(...claims),
            }),
          );
          const whole = cut(segments, { start: 0, end: content.length });
          expect(whole.map(({ start, end }) => content.slice(start, end)).join("")).toBe(content);
          expect(segments.map(({ start, end }) => content.slice(start, end)).join("")).toBe(
            content,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("cut", () => {
  const content = "abc [1] def";
  const segments = toSegments(
    content.length,
    locateClaims({ content, annotations: [annotation([4, 7], [0, 3])], verification: undefined }),
  );

  it("clips segments to the range", () => {
    expect(cut(segments, { start: 1, end: 9 }).map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 4],
      [4, 7],
      [7, 9],
    ]);
  });

  it("drops partial markers", () => {
    expect(cut(segments, { start: 5, end: 9 }).map(({ marker }) => marker)).toEqual([null, null]);
    expect(cut(segments, { start: 4, end: 7 })[0]?.marker?.citationId).toBe(1);
  });
});

describe("guessMarkers", () => {
  it("finds markers that refer to an existing source", () => {
    const guessed = guessMarkers("One [1], two [2][9], code[0] and [1", new Set([1, 2]));
    expect(guessed.map(({ start, citationId }) => [start, citationId])).toEqual([
      [4, 1],
      [13, 2],
    ]);
  });
});
