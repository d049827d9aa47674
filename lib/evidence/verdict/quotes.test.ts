import { describe, expect, test } from "vitest";
import { judge } from "./judge";

function quoteFor(claim: string, passage: string): string | null {
  const quote = judge(claim, passage).quote;
  if (quote) {
    expect(passage.slice(quote.start, quote.end)).toBe(quote.text);
  }
  return quote?.text ?? null;
}

describe("the quote of a judgement", () => {
  test("is the sentence that supports the claim", () => {
    const passage =
      "Asthma is a disease of the lungs. Dust mites trigger asthma attacks. It is treated with inhalers.";
    expect(quoteFor("Asthma attacks are triggered by dust mites.", passage)).toBe(
      "Dust mites trigger asthma attacks.",
    );
  });

  test("is a clause of a long sentence", () => {
    const passage =
      "In a survey of twelve towns, dust mites trigger most asthma attacks; the costs of cleaning were paid by the council.";
    expect(quoteFor("Dust mites trigger asthma attacks.", passage)).toBe(
      "dust mites trigger most asthma attacks",
    );
  });

  test("is the whole sentence when the clause depends on a condition or negation", () => {
    const passage = "Unless the kidneys fail, metformin controls blood glucose well.";
    expect(quoteFor("Metformin controls blood glucose well.", passage)).toBe(passage);
  });

  test("is two sentences that support the claim together", () => {
    const passage =
      "Lithium is cleared by the kidneys. Dehydration raises lithium levels. It is a salt.";
    expect(
      quoteFor("Lithium is cleared by the kidneys, and dehydration raises its levels.", passage),
    ).toBe("Lithium is cleared by the kidneys. Dehydration raises lithium levels.");
  });

  test("is the sentence that contradicts the claim", () => {
    const passage = "Zinc is a metal. Zinc does not cure warts.";
    expect(quoteFor("Zinc cures warts.", passage)).toBe("Zinc does not cure warts.");
  });

  test("is the whole row of a table, which is read with the names of its columns", () => {
    const passage =
      "Doses in adults.\n\n| Drug | Morning | Evening |\n| --- | --- | --- |\n| Aspivaril | | 100 mg |\n| Betacor | 20 mg | 5 mg |";
    expect(quoteFor("Aspivaril in the evening: 100 mg.", passage)).toBe("Aspivaril | | 100 mg");
    expect(judge("Aspivaril in the evening: 100 mg.", passage).verdict).toBe("supported");
    expect(judge("Drug: Betacor | Morning: 20 mg | Evening: 5 mg", passage).verdict).toBe(
      "supported",
    );
    const row = passage.slice(0, passage.indexOf("\n| Betacor"));
    expect(judge("Aspivaril in the morning: 100 mg.", row).verdict).toBe("partial");
  });

  test("is null when nothing supports the claim", () => {
    expect(quoteFor("Zinc cures warts.", "The museum opens at noon.")).toBeNull();
    expect(quoteFor("", "The museum opens at noon.")).toBeNull();
    expect(quoteFor("Zinc cures warts.", "")).toBeNull();
  });

  test.each([
    ["decomposed accents", "La fie\u0300vre. Zinc cured cafe\u0301 workers' warts quickly. Fin."],
    ["emoji before it", "😀😀 Zinc cured warts of café workers quickly. Fin."],
    ["a Greek letter first", "Début. β-zinc cured warts of café workers quickly. Fin."],
    [
      "ligatures and wide digits",
      "Oﬃce ５. Zinc cured warts of café workers quickly, in ﬁve days. Fin.",
    ],
    ["a marker inside", "Start [1]. Zinc cured [2] warts of café workers quickly [3]. Fin."],
    ["line breaks", "Start.\r\nZinc cured\r\nwarts of café\tworkers quickly. Fin."],
    [
      "half a surrogate pair",
      "Start \ud800. Zinc cured warts of café workers quickly. \udc00 Fin.",
    ],
  ])("has exact offsets with %s", (_what, passage) => {
    const text = quoteFor("Zinc cured warts of café workers quickly.", passage);
    expect(text).toContain("quickly");
    expect(text).toMatch(/[Zz]inc/);
    expect(text).not.toMatch(/Fin|Start|Début/);
  });

  test("can begin with a Greek letter", () => {
    expect(quoteFor("β-blockers slow the heart.", "Fin. β-blockers slow the heart. Fin.")).toBe(
      "β-blockers slow the heart.",
    );
  });
});
