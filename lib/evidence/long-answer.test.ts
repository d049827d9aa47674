import { afterEach, expect, it } from "vitest";
import { verifyAnswer } from "@/lib/answers/citations/verification";
import { restoreClock, slowClock, turnsDuring } from "@/lib/testing/slow-clock";
import { SentenceBuffer } from "./claims/sentence-buffer";
import { MarkerNormalizer, normalizeMarkers } from "./markers";
import { findConflicts } from "./verdict/conflicts";
import { RulesJudge } from "./verdict/rules-judge";

afterEach(restoreClock);

const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const SOURCES = IDS.map((id) => ({
  citation: { id, title: `Leaflet ${id}`, metadata: {}, document_id: null },
  text: `Adults take ${id} mg of amoxicillin at noon.`,
  charStart: 0,
}));
const TEXT = Array.from({ length: 60 }, (_, at) => `Take ${at} mg [1-10].`).join(" ");

/** 600 pairs of a claim and a source, of which at most eight fit into a turn. */
const LEAST_TURNS = 75;

it("is verified source by source, however many its claims name", async () => {
  slowClock();
  const judge = new RulesJudge(
    SOURCES.map(({ text, citation }) => ({ text, label: citation.title })),
  );
  const answer = { ...normalizeMarkers(TEXT, SOURCES.length), stripped: [] };
  const verifying = verifyAnswer(answer, SOURCES, {
    method: "rules",
    question: "How much amoxicillin do adults take?",
    judge: (claims) => Promise.all(claims.map((claim) => judge.judge(claim))),
    analyze: (id) => judge.analyze([id]),
    quotes: true,
    urlOf: () => "",
    permalinkOf: () => null,
  });
  expect((await turnsDuring(verifying)).turns).toBeGreaterThan(LEAST_TURNS);
  expect((await verifying).verification.claims).toHaveLength(60);
});

it("has its markers read part by part", async () => {
  slowClock();
  const text = TEXT.repeat(20);
  const normalizer = new MarkerNormalizer(SOURCES.length);
  const reading = normalizer.pushLong(text);
  expect(text.length / (await turnsDuring(reading)).turns).toBeLessThan(4096);
  expect((await reading) + normalizer.end()).toBe(normalizeMarkers(text, SOURCES.length).text);
});

it("is stripped claim by claim, however much of it comes at once", async () => {
  slowClock();
  const { text, markers } = normalizeMarkers(TEXT, SOURCES.length);
  const judge = new RulesJudge(SOURCES.map(({ text }) => ({ text, label: "" })));
  const buffer = new SentenceBuffer(async (claims) => {
    await Promise.all(claims.map((claim) => judge.judge(claim)));
    return new Set();
  });
  const writing = buffer.push(text, markers).then(() => buffer.end());
  expect((await turnsDuring(writing)).turns).toBeGreaterThan(LEAST_TURNS);
});

it("lets others run while the numbers of its sources are compared", async () => {
  const passages = IDS.map((id) => ({
    id,
    text: `The dose of aspirin was ${id} mg in adults. `.repeat(60),
  }));
  slowClock();
  expect((await turnsDuring(findConflicts(passages))).turns).toBeGreaterThan(150);
});
