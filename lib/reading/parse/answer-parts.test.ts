import { expect, it } from "vitest";
import { mergePart, toParts } from "./answer-parts";

const count = (length: number) => Array.from({ length }, (_, at) => at);
const answer = [
  { document: { text: "x", chunks: count(1001).map((at) => ({ terms: count(at) })), pages: null } },
  { document: { words: new Map(count(777).map((at) => [`word ${at}`, at])), boxes: [[], [1]] } },
];

it("puts an answer together from its parts", () => {
  const [whole = {}, ...parts] = structuredClone(toParts(answer)) as Parameters<typeof mergePart>;
  for (const part of parts) {
    mergePart(whole, part as Parameters<typeof mergePart>[1]);
  }
  expect(whole).toEqual(answer);
});

it("makes no part of more than 100 elements", () => {
  const lengths = toParts(answer).flatMap((part) => ("elements" in part ? [part.elements] : []));
  expect(lengths).toHaveLength(11 + 8);
  expect(lengths.every((elements) => (elements as unknown[]).length <= 100)).toBe(true);
});
