import { expect, test } from "vitest";
import { answeredBy } from "./answered";

const ASTHMA = "Asthma › Treatment";

function said(
  text: string,
  label = ASTHMA,
  verdict: "supported" | "unsupported" | "unjudged" = "supported",
) {
  return [{ text, verdict, labels: [label] }];
}

test("answers a question whose subject and relation are addressed", () => {
  expect(
    answeredBy("How is asthma treated?", said("Asthma is treated with inhaled corticosteroids.")),
  ).toBe("yes");
});

test.each([
  ["How is gout treated?", said("Asthma is treated with inhaled corticosteroids.")],
  ["How is asthma treated?", said("Asthma is treated with snake oil.", ASTHMA, "unsupported")],
  ["How is asthma treated?", []],
])("doesn't count sentences about something else, or unsupported: %s", (question, claims) => {
  expect(answeredBy(question, claims)).toBe("no");
});

test("answers partly when the relation asked about isn't addressed", () => {
  const claims = said("Asthma is a disease of the airways of the lungs.", "Asthma › Overview");
  expect(answeredBy("How is asthma treated in children?", claims)).not.toBe("yes");
});

test.each(["Wie wird das Asthma bei den Kindern behandelt?", "喘息の治療法は何ですか", ""])(
  "can't tell for %j",
  (question) => {
    expect(answeredBy(question, said("Asthma is treated with inhaled corticosteroids."))).toBe(
      "unknown",
    );
  },
);
