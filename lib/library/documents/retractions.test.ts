import { describe, expect, it } from "vitest";
import { identifiersOf, readRetractions, standingFor } from "./retractions";

const UNKNOWN = { url: null, doi: null, pmid: null, key: null };

describe("readRetractions", () => {
  it("reads the columns of the Retraction Watch database", () => {
    const row = {
      "Record ID": "7",
      OriginalPaperDOI: "10.1016/S0140-6736(97)11096-0",
      OriginalPaperPubMedID: "9500320",
      RetractionNature: "Retraction",
      RetractionDate: "2/6/2010 0:00",
    };
    const { standings, unusable } = readRetractions([row]);
    expect(unusable).toBe(0);
    const cited = "https://doi.org/10.1016/s0140-6736(97)11096-0";
    for (const document of [
      { url: cited },
      { doi: "doi:10.1016/S0140-6736(97)11096-0" },
      { pmid: "9500320" },
      { url: "https://pubmed.ncbi.nlm.nih.gov/9500320/" },
      { key: "PMID:9500320" },
    ]) {
      expect(standingFor({ ...UNKNOWN, ...document }, standings), JSON.stringify(document)).toBe(
        "retracted",
      );
    }
    expect(standingFor({ ...UNKNOWN, pmid: "950032" }, standings)).toBeUndefined();
  });

  it("lets the newest notice count and ignores corrections", () => {
    const notice = (RetractionNature: string, RetractionDate: string, doi = "10.1000/1") => ({
      ...{ doi, RetractionNature, RetractionDate },
    });
    const { standings } = readRetractions([
      notice("Reinstatement", "5/1/2020 0:00"),
      notice("Retraction", "4/1/2019 0:00"),
      notice("Correction", "6/1/2021 0:00"),
      notice("Expression of concern", "6/1/2021 0:00", "10.1000/2"),
    ]);
    expect([...standings]).toEqual([["doi:10.1000/1", "current"]]);
  });

  it("reads a list of its own columns, and counts rows that it can't use", () => {
    const { standings, unusable } = readRetractions([
      { external_id: "guideline-7", standing: "superseded" },
      { URL: "https://www.example.org/a/" },
      { doi: "unavailable", pmid: "0" },
      { doi: "10.1000/3", standing: "withdrawn" },
    ]);
    expect(unusable).toBe(2);
    expect([...standings]).toEqual([
      ["key:guideline-7", "superseded"],
      ["url:example.org/a", "retracted"],
    ]);
  });
});

describe("identifiersOf", () => {
  it("finds none where there is none", () => {
    expect(identifiersOf(UNKNOWN)).toEqual([]);
    expect(identifiersOf({ ...UNKNOWN, pmid: "PMC12", doi: "none" })).toEqual([]);
  });
});
