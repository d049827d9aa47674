import { expect, test } from "vitest";
import { analyzeClaim, analyzePassage } from "./analyze-passage";
import { judge } from "./judge";
import { opposes } from "./opposition";

function opposesClaim(
  claim: string,
  conflict: "negation" | "direction",
  [evidence = "", ...others]: readonly string[],
): boolean {
  const { analyses } = analyzePassage([evidence, ...others].join(" "));
  return opposes(analyzeClaim(claim), {
    conflict,
    evidence: analyses.slice(0, 1),
    passage: analyses,
    coverage: 0.8,
  });
}

const RAISES = "Vitamin D at a high dose raises the rate of falls in winter.";

test("an opposite direction says the opposite of a claim in other words", () => {
  expect(opposesClaim("Vitamin D lowers the rate of falls.", "direction", [RAISES])).toBe(true);
});

test("unless the passage says as much of the claim's own direction elsewhere", () => {
  const passage = [RAISES, "In summer, vitamin D lowers the rate of falls."];
  expect(opposesClaim("Vitamin D lowers the rate of falls.", "direction", passage)).toBe(false);
});

test("a denial in the source alone doesn't contradict a claim in other words", () => {
  const claim = "Vitamin D lowers the yearly rate of falls at home.";
  const denial = "Vitamin D did not lower the rate of falls in a nursing home.";
  expect(opposesClaim(claim, "negation", [denial])).toBe(false);
});

test("the claim's own denial of what the source says does", () => {
  const claim = "Use of the drug isn't linked to cancer of the bladder.";
  expect(opposesClaim(claim, "negation", ["The drug was linked to bladder cancer."])).toBe(true);
});

test("another number contradicts a claim only if the source closely says the rest", () => {
  const passage =
    "One vaccine dose was given at home. Severe disease was rare in adults, and 12% lived alone.";
  expect(
    judge(
      "One vaccine dose prevents severe disease in 80% of older adults who live at home.",
      passage,
    ),
  ).toMatchObject({ verdict: "partial", reason: "number" });
  expect(judge("Severe disease was rare in adults, and 80% lived alone.", passage).verdict).toBe(
    "contradicted",
  );
});
