import { describe, expect, it } from "vitest";
import { numberDifference } from "./number-difference";

describe("the number in which a claim and a quote differ", () => {
  it("is shown with its unit, and located in the quote", () => {
    const quote = "The maximum is 4,000 mg in 24 hours from all products.";
    const found = numberDifference("The maximum is 6,000 mg in 24 hours", quote);
    expect(found).toMatchObject({ claim: "6,000 mg", quote: "4,000 mg" });
    expect(quote.slice(found?.start, found?.end)).toBe("4,000 mg");
    expect(numberDifference("It fell by 5.5%.", "It fell by 0.5%.")).toMatchObject({
      claim: "5.5%",
      quote: "0.5%",
    });
  });

  it("is shown without a unit that only one of them has", () => {
    const quote = "20 patients improved.";
    const found = numberDifference("30 people improved.", quote);
    expect(found).toMatchObject({ claim: "30", quote: "20" });
    expect(quote.slice(found?.start, found?.end)).toBe("20");
  });

  it("ignores marks between thousands", () => {
    expect(numberDifference("4000 mg", "4,000 mg")).toBeNull();
  });

  it("is unknown if there are several, or one of them has none", () => {
    expect(numberDifference("5 mg for 3 days", "10 mg for 7 days")).toBeNull();
    expect(numberDifference("A dose of 5 mg", "A dose")).toBeNull();
    expect(numberDifference("A dose", "A dose")).toBeNull();
  });
});
