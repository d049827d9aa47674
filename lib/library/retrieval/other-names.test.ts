import { describe, expect, it } from "vitest";
import { termId, termsOf } from "@/lib/text/analyzer";
import { namedOtherwise, nameFor } from "./other-names";

/** Counts each word of a list of texts. */
function countsIn(texts: readonly string[]): (term: number) => number {
  const each = texts.map((text) => new Set(termsOf(text).map(termId)));
  return (term) => each.filter((terms) => terms.has(term)).length;
}

function understood(query: string, texts: readonly string[]): string[] {
  return namedOtherwise(query, "medical").map(
    (from) => nameFor(from, countsIn(texts)).instead?.name ?? from.written,
  );
}

function classesOf(query: string, texts: readonly string[]): (string | undefined)[] {
  return namedOtherwise(query, "medical").map(
    (from) => nameFor(from, countsIn(texts)).besides?.name,
  );
}

describe("a brand name, an abbreviation or a phrase", () => {
  it.each([
    ["How much Tylenol can I take?", "Acetaminophen relieves pain.", "acetaminophen"],
    ["What is a normal A1C?", "A normal HbA1c is below 5.7%.", "HbA1c"],
    ["What is a normal HbA1c?", "A normal A1C is below 5.7%.", "A1C"],
    ["how is ckd treated", "Chronic kidney disease is …", "chronic kidney disease"],
    ["Are UTIs common?", "A urinary tract infection is …", "urinary tract infection"],
    ["signs of low blood sugar", "Signs of hypoglycemia are …", "hypoglycemia"],
    ["Do the Heimlich maneuver", "Abdominal thrusts are …", "abdominal thrusts"],
    ["What is a DEXA scan?", "A DXA shows bone density.", "DXA"],
    ["How is RA treated?", "Rheumatoid arthritis is …", "rheumatoid arthritis"],
  ])("is what the documents call the same: %s", (query, text, name) => {
    expect(understood(query, [text])).toEqual([name]);
  });

  it.each([
    ["Can lisinopril cause a cough?", "ACE inhibitor"],
    ["Is Zestril safe?", "ACE inhibitor"],
    ["Does Zoloft cause nausea?", "SSRI"],
  ])(
    "of a drug that the documents hardly mention is searched with its class: %s",
    (query, name) => {
      expect(classesOf(query, ["An ACE inhibitor.", "An SSRI."])).toEqual([name]);
    },
  );

  it("of a drug that the documents are about is searched alone", () => {
    const many = Array.from({ length: 20 }, () => "ACE inhibitors.");
    const drug = Array.from({ length: 3 }, () => "Lisinopril.");
    expect(classesOf("Is lisinopril safe?", [...many, ...drug])).toEqual([undefined]);
    expect(understood("Is Zestril safe?", [...many, ...drug])).toEqual(["lisinopril"]);
    expect(classesOf("Is lisinopril an ACE inhibitor?", many)).toEqual([undefined]);
  });

  it("never becomes an everyday phrase", () => {
    const texts = ["Low sugar in the blood.", "Low blood sugar is …"];
    expect(understood("signs of hypoglycemia", texts)).toEqual([]);
  });

  it("stays unless it is much rarer, or where no name of the same occurs", () => {
    expect(understood("Is Tylenol safe?", ["Tylenol is acetaminophen."])).toEqual(["Tylenol"]);
    expect(understood("Is Tylenol safe?", ["Nothing of it."])).toEqual(["Tylenol"]);
    const few = ["COPD is common.", "Chronic obstructive pulmonary disease.", "It is obstructive."];
    expect(understood("What is COPD?", few)).toEqual(["COPD"]);
  });

  it("stays beside another name of the same, in quotes, and as a word", () => {
    expect(namedOtherwise("Is Tylenol the same as acetaminophen?", "medical")).toEqual([]);
    expect(namedOtherwise('the word "Tylenol"', "medical")).toEqual([]);
    expect(namedOtherwise("a pad on the knee, and oa", "medical")).toEqual([]);
  });
});
