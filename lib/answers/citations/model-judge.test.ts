import { describe, expect, it } from "vitest";
import { type Claim, RulesJudge } from "@/lib/evidence/verdict/rules-judge";
import { isOpen, pairKey, pairsOf, readAnswer, type Said, settleClaim } from "./model-judge";

const CLAIM = "Adults take 500 mg of amoxicillin 3 times a day";
const DOSE = "Adults take **500 mg** of\namoxicillin three times a day. Children take less.";
const BANANAS = "Bananas are yellow, and they grow in warm countries.";

type Answer = Partial<Said> & Pick<Said, "verdict">;

/** What becomes of a claim when a judge says this of each pair, by the numbers of its sources. */
async function judged(
  text: string,
  passages: readonly string[],
  answers: Readonly<Record<string, Answer>>,
) {
  const rules = new RulesJudge(passages.map((passage) => ({ text: passage, label: "" })));
  const claim: Claim = { text, ids: passages.map((_, at) => at + 1) };
  const byRules = await rules.judge(claim);
  const said = new Map(
    pairsOf(claim).flatMap((pair) => {
      const answer = answers[pair.ids.join()];
      return answer ? [[pairKey(pair), { quote: null, reason: null, ...answer }] as const] : [];
    }),
  );
  const analyze = (ids: readonly number[]) => rules.analyze(ids);
  const settled = settleClaim(claim, {
    byRules,
    saidOf: (pair) => said.get(pairKey(pair)),
    analyze,
  });
  return { ...settled, byRules };
}

/** The verdict on a claim and one passage that a judge calls supported, with a quote from it. */
async function praised(text: string, passage: string, quote = passage) {
  const { combined } = await judged(text, [passage], { 1: { verdict: "supported", quote } });
  return combined;
}

describe("what a judge outside says", () => {
  it("counts, with its words in the passage as they are shown", async () => {
    const quote = "Adults take 500 mg of amoxicillin";
    const { combined, bySource } = await judged(CLAIM, [DOSE], {
      1: { verdict: "partial", quote, reason: "subject" },
    });
    expect(combined).toEqual({
      ...{ verdict: "partial", score: 0.5, method: "model", reason: "subject" },
    });
    const found = bySource.get(1)?.quote;
    expect(found?.text).toBe("Adults take **500 mg** of\namoxicillin");
    expect(DOSE.slice(found?.start, found?.end)).toBe(found?.text);
  });

  it.each([
    ["supported", 1, null],
    ["partial", 0.5, "missing_terms"],
    ["contradicted", 0, "not_asserted"],
  ] as const)("%s scores %d and needs a quote", async (verdict, score, reason) => {
    const quote = "Adults take 500 mg of amoxicillin";
    const { combined } = await judged(CLAIM, [DOSE], { 1: { verdict, quote } });
    expect(combined).toEqual({ verdict, score, method: "model", reason });
    for (const invented of [null, "", "500 mg", "Everybody should always take some of it."]) {
      const { combined: without, byRules } = await judged(CLAIM, [DOSE], {
        1: { verdict, quote: invented },
      });
      expect(without).toEqual(byRules.combined);
    }
  });

  it("is unsupported without a quote", async () => {
    const { combined, bySource } = await judged(CLAIM, [DOSE], { 1: { verdict: "unsupported" } });
    expect(combined).toMatchObject({ verdict: "unsupported", score: 0, method: "model" });
    expect(bySource.get(1)?.quote).toBeNull();
  });

  it("is about each source alone, and about all of them together", async () => {
    const quote = "Adults take 500 mg of amoxicillin";
    const yellow = "Bananas are yellow, and they grow";
    const both = `${CLAIM}, and bananas are sweet`;
    const of = async (answers: Record<string, Answer>) =>
      (await judged(both, [DOSE, BANANAS], answers)).combined.verdict;
    const one: Answer = { verdict: "partial", quote };
    const other: Answer = { verdict: "partial", quote: yellow };
    expect(await of({ 1: one, 2: { verdict: "unsupported" } })).toBe("partial");
    expect(await of({ 1: one, 2: other, "1,2": { verdict: "supported", quote: yellow } })).toBe(
      "supported",
    );
  });

  it("leaves the sources that it doesn't name to the rules", async () => {
    const { bySource, byRules } = await judged(CLAIM, [DOSE, BANANAS], {
      2: { verdict: "unsupported" },
    });
    expect(bySource.get(1)).toEqual(byRules.bySource.get(1));
    expect(bySource.get(2)?.method).toBe("model");
  });

  it("is never evidence where it is struck out or not checked", async () => {
    const struck = "Adults take ~~875 mg of amoxicillin~~ 500 mg of amoxicillin a day.";
    expect(await praised("Adults take 875 mg of amoxicillin", struck)).toMatchObject({
      method: "rules",
    });
    const boxes = "☐ Metformin is contraindicated here\n☑ Insulin is contraindicated here";
    expect(await praised("Metformin must not be given", boxes)).toMatchObject({ method: "rules" });
  });
});

describe("a judge's praise", () => {
  it.each([
    [
      "People over sixty ought to have their kidneys checked every year",
      "In those above 60, renal function should be tested annually.",
    ],
    ["Children should not take it", "It is not for use in children."],
    ["It stops working after two days", "The effect is lost within 48 hours."],
  ])("counts for other words: %s", async (claim, passage) => {
    expect(await praised(claim, passage)).toMatchObject({ verdict: "supported", method: "model" });
  });

  it.each([
    ["number", "Take 20 mg at night", "A single 10 mg tablet is swallowed at bedtime."],
    ["unit", "The child gets 5 mg of it", "Give 5 mL of the suspension to the child."],
    ["negation", "Grapefruit juice can be drunk with it", "Never drink grapefruit juice with it."],
    [
      "direction",
      "Smoking lowers the concentration of theophylline",
      "Smoking raises the concentration of theophylline.",
    ],
    ["overclaim", "The vaccine causes fever", "The vaccine may cause fever in some children."],
    [
      "number of another clause",
      "Children take 500 mg twice a day",
      "Adults take 500 mg twice a day; children take 250 mg twice a day.",
    ],
    ["aim", "Zinc shortens colds", "We investigated whether zinc shortens colds in adults."],
  ])("doesn't count against a fact of the text: %s", async (_what, claim, passage) => {
    const { verdict, method } = await praised(claim, passage);
    expect([verdict === "supported", method]).toEqual([false, "rules"]);
  });

  it("counts only for what the quoted sentence says", async () => {
    const passage =
      "Take one tablet of 10 mg at bedtime. For severe pain, up to 20 mg may be needed.";
    expect(await praised("At night, 20 mg are swallowed", passage, passage.slice(0, 36))).toEqual(
      expect.objectContaining({ method: "rules" }),
    );
  });
});

describe("what rules leave open", () => {
  const open = async (text: string, passage: string) => {
    const rules = new RulesJudge([{ text: passage, label: "" }]);
    return isOpen(await rules.judge({ text, ids: [1] }));
  };

  it.each([
    [false, "what it says", CLAIM],
    [false, "another number", CLAIM.replace("500", "750")],
    [true, "other words", "Grown-ups swallow the antibiotic thrice daily"],
    [true, "a language that rules don't know", "Dorośli przyjmują antybiotyk trzy razy dziennie"],
    [false, "a short answer", "Yes"],
  ])("%s: %s", async (expected, _what, claim) => {
    expect(await open(claim, DOSE)).toBe(expected);
  });
});

describe("a model's answer", () => {
  const entry = { claim: 1, quote: "it may", verdict: "partial", reason: "number" };
  const json = JSON.stringify({ claims: [entry] });

  it.each([
    json,
    `\`\`\`json\n${json}\n\`\`\``,
    `Here is my judgement:\n${json}\nI hope that helps {you}.`,
    `<think>{"claims": [{"claim": 1, "verdict": "supported"}]} is what it wants.</think>${json}`,
    `{see below} { "a": ${json}`,
    `{"claims": []} ${json}`,
    `{"note": "}{", "claims": [null, {"claim": "1", "quote": "it may", "verdict": " Partial", "reason": "number"}]}`,
  ])("is read: %s", (text) => {
    expect([...readAnswer(text, 1)]).toEqual([
      [1, { verdict: "partial", quote: "it may", reason: "number" }],
    ]);
  });

  it.each([
    "",
    "supported",
    "{}",
    '{"claims": [{"claim": 1, "verdict": "true"}]}',
    '{"claims": [{"claim": 1, "verdict": "supported | partial | unsupported | contradicted"}]}',
    '{"claims": [{"claim": 9, "verdict": "supported"}]}',
    "{".repeat(50_000),
    '{"a":"'.repeat(9000),
    "[1]",
  ])("is rejected without a judgement: %.60s", (text) => {
    expect(() => readAnswer(text, 2)).toThrow(expect.objectContaining({ code: "upstream_error" }));
  });

  it("has one judgement a claim, and reasons that are ours", () => {
    const claims = [
      { claim: 2, verdict: "unsupported", reason: "because I think so" },
      { claim: 1, verdict: "supported", reason: "none", quote: 5 },
      { claim: 1, verdict: "contradicted" },
    ];
    expect(readAnswer(JSON.stringify({ claims }), 2)).toEqual(
      new Map([
        [1, { verdict: "supported", reason: null, quote: "" }],
        [2, { verdict: "unsupported", reason: null, quote: "" }],
      ]),
    );
  });
});
