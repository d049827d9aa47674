import { expect, it } from "vitest";
import { AskedQuestion } from "./asked-question";

it("is read once in each language", () => {
  const question = new AskedQuestion("What are the symptoms of asthma?");
  question.prepare();
  const read = question.readIn("en");
  expect(question.language).toBe("en");
  expect(question.readIn("en")).toBe(read);
  expect(question.readIn("de")).not.toBe(read);
});

it("is not prepared if it is so long that the search will refuse it", () => {
  class Counted extends AskedQuestion {
    reads = 0;
    override readIn(...language: Parameters<AskedQuestion["readIn"]>) {
      this.reads += 1;
      return super.readIn(...language);
    }
  }
  const readsOf = (text: string) => {
    const question = new Counted(text);
    question.prepare();
    return question.reads;
  };
  expect(readsOf("What is asthma?")).toBe(1);
  expect(readsOf("What is asthma? ".repeat(1000))).toBe(0);
});

it("fails where it is used, not while it is prepared", () => {
  class Broken extends AskedQuestion {
    override readIn(): never {
      throw new Error("can't be read");
    }
  }
  const question = new Broken("What is asthma?");
  expect(() => question.prepare()).not.toThrow();
  expect(() => question.readIn()).toThrow("can't be read");
});
