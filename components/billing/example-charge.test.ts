import { describe, expect, it } from "vitest";
import { exampleCharge, timesPaidBy } from "./example-charge";

const model = {
  id: "m",
  core: { input_usd_per_million: "0.02", output_usd_per_million: "0.08" },
  grounded: { input_usd_per_million: "0.05", output_usd_per_million: "0.20" },
};
const free = { input_usd_per_million: "0", output_usd_per_million: "0" };

describe("exampleCharge", () => {
  it("lists the exact lines of a charge and rounds up once", () => {
    const charge = exampleCharge(model, "grounded");
    expect(charge.parts.map(({ usd }) => usd)).toEqual(["0.000120850", "0.000056600"]);
    expect(charge).toMatchObject({ exact_usd: "0.000177450", charged_usd: "0.000178" });
    expect(timesPaidBy(10, charge)).toBe(56_179);
  });

  it("doesn't round an exact charge", () => {
    const charge = exampleCharge(model, "core", { prompt: 100, completion: 100 });
    expect(charge).toMatchObject({ exact_usd: "0.000010000", charged_usd: "0.000010" });
  });

  it("has no request count for a free model", () => {
    const charge = exampleCharge({ id: "free", core: free, grounded: free }, "core");
    expect(charge.charged_usd).toBe("0.000000");
    expect(timesPaidBy(10, charge)).toBeNull();
  });
});
