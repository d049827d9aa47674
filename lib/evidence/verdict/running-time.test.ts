import { describe, expect, test } from "vitest";
import { cpuMs } from "@/lib/testing/cpu-time";
import { judge } from "./judge";

describe("the running time of a verdict", () => {
  const HOSTILE: Record<string, string> = {
    prose: "Aspirin reduced fever by 5 mg in 10% of children, but not in adults. ",
    "endless digits": "1",
    "endless thousands": "1,000,",
    negations: "not ",
    "negative numbers": "-1-",
    brackets: "([{",
    "unclosed markers": "[1,",
    "one long word": "a",
    "one sentence of numbers": "5 mg 10 % twice daily ",
    "one sentence of directions": "increase decrease ",
    synonyms: "high blood pressure ",
    "short forms": "chronic kidney disease (CKD) ",
    dates: "5 March 2020 ",
    exponents: "10^10^",
    accents: "e\u0301",
    "combining marks": "\u0301",
    "full stops": ". ",
    "every 12": "every every 12 ",
    blanks: " \n",
  };

  test.each(["prose", "negative numbers", "unclosed markers", "one sentence of numbers", "dates"])(
    "grows linearly with %s",
    (name) => {
      const piece = HOSTILE[name] ?? "";
      const cpuOf = (length: number) => {
        const text = piece.repeat(length / piece.length);
        const before = process.cpuUsage();
        judge(text, text);
        return process.cpuUsage(before).user;
      };
      // A quadratic step would take 16 times as long. Noise only adds time, so the best of several rounds decides.
      let [short, long] = [cpuOf(40_000), cpuOf(160_000)];
      for (let round = 0; round < 10 && long / short >= 10; round += 1) {
        short = Math.min(short, cpuOf(40_000));
        long = Math.min(long, cpuOf(160_000));
      }
      expect(long / short).toBeLessThan(10);
    },
  );

  test("grows linearly with thousands of numbers in a claim", () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => `${at + 10} mg`).join(" ");
    const dates = Array.from({ length: 8_000 }, (_, at) => `0${1 + (at % 9)}/03/2020`).join(" ");
    for (const claim of [`Aspirin ${numbers}`, `Aspirin ${dates}`]) {
      expect(cpuMs(() => judge(claim, "Aspirin 3 mg on 05/06/2020."))).toBeLessThan(2_500);
      expect(cpuMs(() => judge(claim, claim))).toBeLessThan(2_500);
    }
  });

  test.each(Object.keys(HOSTILE))("is linear in 100 kB of %s as claim and passage", (name) => {
    const piece = HOSTILE[name] ?? "";
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    const elapsed = (claim: string, passage: string) => cpuMs(() => judge(claim, passage));
    elapsed(of(1_000), of(1_000));
    // Generous for a busy machine; a quadratic step would take minutes.
    expect(elapsed("Aspirin did not reduce fever by 5 mg.", of(100_000))).toBeLessThan(3_000);
    expect(elapsed(of(100_000), "Aspirin did not reduce fever by 5 mg.")).toBeLessThan(3_000);
    expect(elapsed(of(100_000), of(100_000))).toBeLessThan(5_000);
  });
});
