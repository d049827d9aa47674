import { describe, expect, it } from "vitest";
import type { Verification } from "@/lib/answers/citations/schema";
import { summarize } from "./summary";

function verification(fields: Partial<Verification>): Verification {
  const counts = { supported: 0, partial: 0, unsupported: 0, contradicted: 0, unjudged: 0 };
  return {
    ...{
      answered: "unknown",
      abstained: false,
      sentences: 3,
      cited: 3,
      coverage: 1,
      method: "rules",
      ...counts,
    },
    ...{
      dropped_markers: 0,
      unknown_markers: 0,
      repaired_markers: 0,
      added_markers: 0,
      stripped_markers: 0,
    },
    ...{ claims: [], stripped: [], disagreements: [] },
    ...fields,
  };
}

describe("summarize", () => {
  it("says that everything is supported, and what isn't cited", () => {
    expect(summarize(verification({ answered: "yes", supported: 3, sentences: 5 }))).toEqual({
      lead: "All 3 cited sentences are supported by their sources.",
      rest: ["The question is answered.", "2 sentences cite no source."],
      worst: "supported",
    });
    expect(summarize(verification({ cited: 2, supported: 2, sentences: 3 }))).toMatchObject({
      lead: "Both cited sentences are supported by their sources.",
      rest: ["1 sentence cites no source."],
    });
  });

  it("says that the answer abstains", () => {
    const none = { cited: 0, coverage: 0, sentences: 0 };
    expect(summarize(verification({ answered: "no", abstained: true, ...none }))).toEqual({
      lead: "The answer says that its sources don’t answer the question.",
      rest: [],
      worst: null,
    });
  });

  it("leads with the most serious verdict", () => {
    const found = summarize(verification({ supported: 1, unsupported: 1, contradicted: 1 }));
    expect(found.lead).toBe("1 of 3 cited sentences may contradict its source.");
    expect(found.worst).toBe("contradicted");
    expect(summarize(verification({ supported: 1, partial: 2 })).lead).toBe(
      "2 of 3 cited sentences are only partly supported by their sources.",
    );
    expect(summarize(verification({ supported: 2, unjudged: 1 })).lead).toBe(
      "1 of 3 cited sentences couldn’t be checked.",
    );
  });

  it("leads with an unanswered question, unless a claim may be contradicted", () => {
    expect(summarize(verification({ answered: "no", cited: 1, supported: 1 }))).toMatchObject({
      lead: "No cited sentence answers the question.",
      rest: ["The cited sentence is supported by its source."],
      worst: null,
    });
    expect(
      summarize(verification({ answered: "no", cited: 1, contradicted: 1, sentences: 1 })),
    ).toMatchObject({
      lead: "The cited sentence may contradict its source.",
      rest: ["No cited sentence answers the question."],
    });
  });

  it("has no verdict for an answer that cites nothing or wasn't checked", () => {
    expect(summarize(verification({ cited: 0 }))).toEqual({
      lead: "No sentence cites a source.",
      rest: [],
      worst: null,
    });
    expect(summarize(verification({ cited: 0, sentences: 0 })).lead).toBe(
      "This answer has no sentences to check.",
    );
    expect(summarize(verification({ method: "off", supported: null }))).toMatchObject({
      lead: "Claims weren’t checked against their sources.",
      worst: null,
    });
  });
});
