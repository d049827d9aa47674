import { describe, expect, test } from "vitest";
import { judge } from "./judge";

describe("alternatives that rule each other out", () => {
  test.each([
    [
      "The drug reduced blood pressure in elderly patients with diabetes.",
      "The drug reduced blood pressure in young patients with diabetes.",
    ],
    ["It was given to women with severe asthma.", "It was given to men with severe asthma."],
    ["Patients received oral iron for anemia.", "Patients received intravenous iron for anemia."],
    [
      "Of the men, 5 had asthma; women who smoked were treated.",
      "Of the men, 5 had asthma; men who smoked were treated.",
    ],
    ["Hypotension is a common side effect.", "Hypertension is a common side effect."],
  ])("%s | isn't supported by | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).not.toBe("supported");
  });

  test.each([
    ["The drug helped babies with asthma.", "The drug helped infants with asthma."],
    [
      "Women had a higher rate of severe asthma than men.",
      "Women had a higher rate of severe asthma than men.",
    ],
    [
      "Patients received oral or intravenous iron for anemia.",
      "Patients received oral or intravenous iron for anemia.",
    ],
  ])("%s | is supported by the same alternatives: | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("supported");
  });
});
