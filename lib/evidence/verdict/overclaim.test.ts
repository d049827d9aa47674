import { describe, expect, test } from "vitest";
import { judge } from "./judge";

describe("a claim that says more than its source", () => {
  test.each([
    ["a hedge", "Statins may cause muscle pain.", "Statins cause muscle pain."],
    ["a hedge", "Statins can rarely damage the liver.", "Statins can damage the liver."],
    [
      "a risk",
      "Smoking is associated with an increased risk of stroke.",
      "Smoking causes an increased risk of stroke.",
    ],
    [
      "an association",
      "Low vitamin D was linked to depression in the study.",
      "Low vitamin D causes depression in the study.",
    ],
    [
      "a population",
      "Metformin is the first choice in adults with type 2 diabetes.",
      "Metformin is the first choice with type 2 diabetes.",
    ],
    [
      "a population",
      "Aspirin lowers the risk of preeclampsia in pregnant women.",
      "Aspirin lowers the risk of preeclampsia.",
    ],
    ["a share", "Ibuprofen causes heartburn in some people.", "Ibuprofen causes heartburn."],
    [
      "a condition",
      "Antibiotics are given if the fever lasts three days.",
      "Antibiotics are given.",
    ],
    [
      "an exception",
      "The vaccine is safe in pregnancy unless the mother has a fever.",
      "The vaccine is safe in pregnancy.",
    ],
  ])("is partly supported when it leaves out %s: %s", (_, passage, claim) => {
    expect(judge(passage, passage).verdict).toBe("supported");
    expect(judge(claim, passage)).toMatchObject({ verdict: "partial", reason: "overclaim" });
  });

  test.each([
    ["Statins may cause muscle pain.", "Statins may cause muscle pain, and can be stopped."],
    ["Muscle pain can be caused by statins.", "Statins may cause muscle pain."],
    [
      "In adults with type 2 diabetes, metformin is the first choice.",
      "Metformin is the first choice in adults with type 2 diabetes.",
    ],
    [
      "Smoking is linked to a higher risk of stroke.",
      "Smoking is associated with an increased risk of stroke.",
    ],
  ])("is supported when it keeps the limit: %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("supported");
  });
});

describe("an opener", () => {
  const denial = "Antibiotics do not help against the common cold.";

  test.each(["No, antibiotics", "In short, antibiotics", "The document says that antibiotics"])(
    "says nothing by itself: %s …",
    (opener) => {
      const claim = `${opener} do not help against the common cold.`;
      expect(judge(claim, denial).verdict).toBe("supported");
    },
  );
});
