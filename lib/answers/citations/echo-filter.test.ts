import { describe, expect, it } from "vitest";
import { EchoFilter } from "./echo-filter";
import { OWN_SENTENCES } from "./prompt";

describe("sentences of our prompt that a model repeats", () => {
  it.each(OWN_SENTENCES)("are left out, however a stream is cut: %j", (own) => {
    const text = `Of course. ${own}\nAspirin helps. ${own.slice(0, 20)}`;
    for (let at = 0; at <= text.length; at += 1) {
      const filter = new EchoFilter();
      const output = filter.push(text.slice(0, at)) + filter.push(text.slice(at)) + filter.end();
      expect(output).toBe(`Of course. \nAspirin helps. ${own.slice(0, 20)}`);
    }
  });

  it("are all that is held back", () => {
    const filter = new EchoFilter();
    expect(filter.push("Aspirin helps against pain.")).toBe("Aspirin helps against pain.");
    expect(filter.push(" Answer the user's")).toBe(" ");
    expect(filter.push(" question.")).toBe("Answer the user's question.");
  });
});
