import { describe, expect, test } from "vitest";
import { judge } from "./judge";
import { isLikely, type LikelihoodFeatures } from "./likelihood";
import weights from "./likelihood-weights.json" with { type: "json" };

const CLEAR: LikelihoodFeatures = {
  same_words: 1,
  reworded_relations: 0,
  distant_relations: 0,
  conflicting_sentences: 0,
  comparison: 0,
  unsaid_predicate: 0,
};

describe("how likely a claim in other words is supported", () => {
  test("is high when the passage has its words, and falls with each sign of the contrary", () => {
    expect(isLikely(CLEAR)).toBe(true);
    expect(isLikely({ ...CLEAR, same_words: 0.8, unsaid_predicate: 1 })).toBe(false);
    expect(isLikely({ ...CLEAR, same_words: 0.5, comparison: 1 })).toBe(false);
    expect(isLikely({ ...CLEAR, same_words: 0.5, conflicting_sentences: 3 })).toBe(false);
  });

  test("never rises with a sign of the contrary", () => {
    const { intercept: _, supported_from, same_words, ...contrary } = weights;
    expect(same_words).toBeGreaterThan(0);
    expect(Object.values(contrary).every((weight) => weight < 0)).toBe(true);
    expect(supported_from).toBeGreaterThan(0);
  });

  test("a title that says the opposite takes support away", () => {
    const claim = "Antibody targeting of cadherin causes metastasis.";
    const passage =
      "These data indicate that cadherin is a major cause of both metastasis and resistance. Therapeutic targeting of this factor with antibodies may have benefit.";
    expect(judge(claim, passage).verdict).toBe("supported");
    const title = "Antibody targeting of cadherin prevents metastasis";
    expect(judge(claim, passage, title).verdict).toBe("partial");
  });

  test("a sentence repeated almost word for word doesn't need it", () => {
    const passage = "In these trials, statins markedly lowered the risk of stroke in older adults.";
    const claim = "In these trials, statins markedly lowered the risk of stroke in older adults.";
    const title = "Statins raise the risk of stroke in older adults";
    expect(judge(claim, passage, title).verdict).toBe("supported");
  });

  test("a claim about a table's cell doesn't need it", () => {
    const passage =
      "| Drug | Cystitis | Pneumonia |\n|---|---|---|\n| Alopram | 5 days | 12 days |\n| Betacin | 3 days | 9 days |";
    const claim = "Cystitis is treated with Alopram for 5 days.";
    expect(judge(claim, passage, "Trials").verdict).toBe("supported");
  });

  test.each([
    ["Kinesin carries vesicles along the microtubules of neurons.", "supported"],
    ["Vesicles are carried along the microtubules of neurons by kinesin.", "supported"],
    ["Vesicles are dependent on kinesin along the microtubules of neurons.", "supported"],
    ["Kinesin strips vesicles off the microtubules of neurons.", "partial"],
    ["Vesicles are untouched by kinesin along the microtubules of neurons.", "partial"],
    ["Kinesin freezes neurons, microtubules and vesicles.", "partial"],
    ["Kinesin is needed to replace synaptic vesicles along microtubules.", "partial"],
  ])("a word for what is said must be in the passage: %s", (claim, verdict) => {
    const passage =
      "In neurons, the motor protein kinesin was needed to carry synaptic vesicles along microtubules.";
    expect(judge(claim, passage).verdict).toBe(verdict);
  });
});
