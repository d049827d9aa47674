import { describe, expect, it } from "vitest";
import { readRewritten } from "./rewriter-prompt";

/** The user's messages, and what a model made of the last one. */
type Case = [said: string[], written: string];

const read = (said: string[], written: string) =>
  readRewritten(
    written,
    said.map((content) => ({ role: "user", content })),
  );

describe("a rewritten question", () => {
  it.each<Case>([
    [["What is asthma?", "How is it treated?"], "How is asthma treated?"],
    [["Who can delete a file?", "And who can post one?"], "Who can post a file?"],
    [["Symptoms and treatment of asthma?", "And the treatment?"], "Treatment of asthma?"],
    [["What is asthma?", "Why is that?"], "Why does asthma occur?"],
    [["Wann ist die Miete fällig?", "Und die Kaution?"], "Wann ist die Kaution fällig?"],
    [["租金什么时候到期?", "押金呢?"], "押金什么时候到期?"],
  ])("is used if it asks what the last of %j asks: %s", (said, written) => {
    expect(read(said, written)).toBe(written);
  });

  it.each<Case>([
    [
      ["Who can delete a company file?", "And who can post documents?"],
      "Who can delete a company file?",
    ],
    [["What is asthma?", "How is pneumonia treated?"], "What is the name of the conversation?"],
    [["Wann ist die Miete fällig?", "Und was ist mit der Kaution?"], "When is the deposit due?"],
    [["租金什么时候到期?", "押金呢?"], "When is the deposit due?"],
  ])("isn't used if it repeats, translates or misses the last of %j: %s", (said, written) => {
    expect(read(said, written)).toBeNull();
  });
});
