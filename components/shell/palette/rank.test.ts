import { describe, expect, it } from "vitest";
import { ranked, scoreOf } from "./rank";

const ITEMS = [
  { name: "Documents" },
  { name: "Documentation", words: "docs help" },
  { name: "API keys", words: "secrets" },
  { name: "Create key" },
  { name: "Keys and scopes" },
  { name: "Switch to dark theme", words: "appearance mode" },
  { name: "Überweisung" },
];

function find(text: string): string[] {
  return ranked(ITEMS, text).map(({ name }) => name);
}

describe("what a text finds", () => {
  it("is everything, as it stands, before anything was typed", () => {
    expect(ranked(ITEMS, "  ")).toEqual(ITEMS);
  });

  it("begins with whose name begins with it, then has whole words, then beginnings of words", () => {
    expect(find("key")).toEqual(["Create key", "Keys and scopes", "API keys"]);
    expect(find("doc")).toEqual(["Documents", "Documentation"]);
    expect(find("docs")).toEqual(["Documentation"]);
  });

  it("matches all words, in any order, in any case, without accents", () => {
    expect(find("THEME dar")).toEqual(["Switch to dark theme"]);
    expect(find("uberw")).toEqual(["Überweisung"]);
    expect(find("create theme")).toEqual([]);
  });

  it("takes words that are not shown, initials, and the middle of a word from three letters on", () => {
    expect(find("secret")).toEqual(["API keys"]);
    expect(find("ck")).toEqual(["Create key"]);
    expect(find("cope")).toEqual(["Keys and scopes"]);
    expect(find("op")).toEqual([]);
  });

  it("is nothing for signs without a letter or figure", () => {
    expect(find("?!")).toEqual([]);
    expect(scoreOf({ name: "" }, "x")).toBe(0);
  });
});
