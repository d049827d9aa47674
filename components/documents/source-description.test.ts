import { describe, expect, it } from "vitest";
import { cardWords } from "./source-description";

describe("the words of a card", () => {
  it("are the quote on one line, cut between words", () => {
    expect(cardWords("At most\n 4,000 mg – “daily”.")).toBe("At most 4,000 mg – “daily”.");
    expect(cardWords("word ".repeat(100))?.length).toBeLessThanOrEqual(261);
  });

  it("are none without a quote, or in a script that the typeface lacks", () => {
    expect(cardWords(null)).toBeNull();
    expect(cardWords("每日 4,000 mg")).toBeNull();
  });
});
