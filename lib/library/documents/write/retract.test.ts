import { afterAll, describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import type { PublicDocument } from "../identity";
import { readRetractions } from "../retractions";
import { importDocuments } from "./import";
import { removePublicBatch } from "./remove";
import { applyStandings } from "./retract";

const sourceType = "retract_test";
const { signal } = new AbortController();

afterAll(() => removePublicBatch({ sourceType }, ""));

function article(key: string, about: Partial<PublicDocument>): PublicDocument {
  return {
    ...{ key, path: null, name: null, title: `Study ${key}`, sourceType, url: null },
    ...{ publishedAt: null, metadata: { id: key }, mediaType: "text/plain" },
    bytes: Buffer.from(`Study ${key} found that the quinarol dose was safe.`),
    ...about,
  };
}

async function standings(): Promise<Record<string, string>> {
  const documents = await db().document.findMany({
    where: { sourceType },
    include: { chunks: true },
  });
  return Object.fromEntries(
    documents.map(({ title, standing, chunks }) => [
      title,
      `${standing}${chunks.every(({ isRetracted }) => isRetracted) ? ", hidden" : ""}`,
    ]),
  );
}

describe("applyStandings", () => {
  it("marks the documents that a list names, and hides their passages", async () => {
    const articles = [
      article("a", { url: "https://doi.org/10.1000/retract-test.1" }),
      article("b", { metadata: { id: "b", pmid: "987654321" } }),
      article("c", { url: "https://example.org/retract-test/c" }),
      article("d", {}),
    ];
    await importDocuments(articles, { seen: new Map(), signal });
    const list = readRetractions([
      { OriginalPaperDOI: "10.1000/Retract-Test.1", RetractionNature: "Retraction" },
      { OriginalPaperPubMedID: "987654321", RetractionNature: "Retraction" },
      { url: "http://www.example.org/retract-test/c/", standing: "superseded" },
      { doi: "10.1000/retract-test.other" },
    ]);
    const expected = { named: 3, changed: { current: 0, superseded: 1, retracted: 2 } };
    expect(await applyStandings(list.standings, { isDryRun: true })).toEqual(expected);
    expect(Object.values(await standings())).toEqual(Array(4).fill("current"));
    expect(await applyStandings(list.standings, { isDryRun: false })).toEqual(expected);
    const marked = {
      "Study a": "retracted, hidden",
      "Study b": "retracted, hidden",
      "Study c": "superseded",
      "Study d": "current",
    };
    expect(await standings()).toEqual(marked);
    const again = await applyStandings(list.standings, { isDryRun: false });
    expect(again.changed).toEqual({ current: 0, superseded: 0, retracted: 0 });
    const reinstated = readRetractions([
      { doi: "10.1000/retract-test.1", RetractionNature: "Reinstatement" },
    ]);
    await applyStandings(reinstated.standings, { isDryRun: false });
    expect(await standings()).toEqual({ ...marked, "Study a": "current" });
  });
});
