import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { unbroken } from "./unbroken";

/** The parts that stay on one line. */
function boundIn(text: string): string[] {
  const html = renderToStaticMarkup(unbroken(text));
  return [...html.matchAll(/<span[^>]*>(.*?)<\/span>/g)].map(([, bound = ""]) => bound);
}

describe("unbroken", () => {
  it.each([
    ["Call 1-800-222-1222 at once.", ["1-800-222-1222"]],
    ["Call 1-800-273-TALK (8255).", ["1-800-273-TALK"]],
    ["Call (555) 010-9988 or +1 (555) 010-9988.", ["(555) 010-9988", "+1 (555) 010-9988"]],
    ["At most 2,550 mg a day.", ["2,550 mg"]],
    ["Below 130 mg/dL or 7.2 mmol/L.", ["130 mg/dL", "7.2 mmol/L"]],
    ["5–10 mL every 6 hours", ["5–10 mL", "6 hours"]],
    ["a fever of 38 °C, 90% of them", ["38 °C", "90%"]],
  ])("keeps numbers together in: %s", (text, bound) => {
    expect(boundIn(text)).toEqual(bound);
  });

  it("leaves other text alone", () => {
    expect(unbroken("Take 2 tablets, 3 good ones")).toBe("Take 2 tablets, 3 good ones");
    expect(unbroken("5\nmg")).toBe("5\nmg");
  });

  it("doesn't change what is copied", () => {
    const text = "Call 1-800-222-1222: at most 2,550 mg.";
    expect(renderToStaticMarkup(unbroken(text)).replace(/<[^>]+>/g, "")).toBe(text);
  });
});
