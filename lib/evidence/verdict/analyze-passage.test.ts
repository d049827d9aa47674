import { describe, expect, it } from "vitest";
import { analyzePassage } from "./analyze-passage";

function keysOf(word: string, passage: string): (readonly string[])[] {
  return analyzePassage(passage)
    .analyses.flatMap(({ terms, tokens }) => terms.map((term) => ({ ...term, tokens })))
    .filter(({ tokens, token }) => tokens[token]?.lower === word)
    .map(({ keys }) => keys);
}

describe("the match keys of a word", () => {
  it("have its direction only outside a phrase", () => {
    const passage = "High blood pressure is common. The dose was high.";
    const [inPhrase = [], alone = []] = keysOf("high", passage);
    const directed = alone.filter((key) => key.startsWith("^"));
    expect(directed).toHaveLength(1);
    expect(inPhrase).not.toContain(directed[0]);
    expect(inPhrase.some((key) => key.startsWith("#"))).toBe(true);
    expect(keysOf("high", passage)).toEqual([inPhrase, alone]);
  });

  it("are shared by all its occurrences", () => {
    const [first, second] = keysOf("kidneys", "The kidneys filter. Two kidneys are usual.");
    expect(first).toContain("=kidney");
    expect(second).toBe(first);
  });

  it("have the abbreviations of one passage only", () => {
    const [defined = []] = keysOf("kidney", "Chronic kidney disease (CKD) is common.");
    const [other = []] = keysOf("kidney", "A kidney filters blood.");
    expect(defined).toContain("@ckd");
    expect(other).not.toContain("@ckd");
  });
});
