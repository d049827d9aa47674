import { describe, expect, it, test } from "vitest";
import { PACKS } from "@/lib/pack-names";
import { emergencyIn } from "./emergencies";

test.each(PACKS)("the pack %s has no pattern that a text makes slow", (pack) => {
  for (const text of [
    "a ".repeat(500),
    "took ".repeat(200),
    "1".repeat(1000),
    "my head ".repeat(125),
  ]) {
    expect(emergencyIn(text, pack)).toBeNull();
  }
});

describe("the medical pack", () => {
  test.each([
    ["I just took 30 Tylenol", "en"],
    ["My dad collapsed and isn't breathing", "en"],
    ["Is 20 pills too many? I just took them.", "en"],
    ["Mein Mann hat einen Schlaganfall", "de"],
    ["Mi hijo no puede respirar", "es"],
    ["Ma fille ne respire plus", "fr"],
    ["Mio padre non respira", "it"],
    ["Meu filho não consegue respirar", "pt"],
    ["Mijn kind ademt niet", "nl"],
  ])("reads '%s' as an emergency", (text, language) => {
    const found = emergencyIn(text, "medical");
    expect(found).toMatchObject({ language, isCrisis: false });
    expect(found?.call).not.toBe("");
  });

  test.each([
    "What are the signs of a stroke?",
    "How is an overdose of acetaminophen treated?",
    "What is the usual dose of metformin?",
    "Was sind die Symptome eines Herzinfarkts?",
  ])("reads '%s' as a question about one", (text) => {
    expect(emergencyIn(text, "medical")).toBeNull();
  });

  it("has another line for somebody who speaks of ending their life", () => {
    const found = emergencyIn("I want to kill myself", "medical");
    expect(found?.isCrisis).toBe(true);
    expect(found?.call).toContain("988");
  });
});
