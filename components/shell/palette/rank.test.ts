import { describe, expect, it } from "vitest";
import { rank, scoreOf } from "./rank";

const ITEMS = [
  { name: "Documents" },
  { name: "Documentation", keywords: "docs help" },
  { name: "API keys", keywords: "secrets" },
  { name: "Create key" },
  { name: "Keys and scopes" },
  { name: "Switch to dark theme", keywords: "appearance mode" },
  { name: "Überweisung" },
];

function find(text: string): string[] {
  return rank(ITEMS, text).map(({ name }) => name);
}

describe("rank", () => {
  it("returns all items in order for an empty text", () => {
    expect(rank(ITEMS, "  ")).toEqual(ITEMS);
  });

  it("puts names that start with the text first, then whole words, then word starts", () => {
    expect(find("key")).toEqual(["Create key", "Keys and scopes", "API keys"]);
    expect(find("doc")).toEqual(["Documents", "Documentation"]);
    expect(find("docs")).toEqual(["Documentation"]);
  });

  it("matches all words in any order, ignoring case and accents", () => {
    expect(find("THEME dar")).toEqual(["Switch to dark theme"]);
    expect(find("uberw")).toEqual(["Überweisung"]);
    expect(find("create theme")).toEqual([]);
  });

  it("matches keywords, initials, and the middle of a word from three letters on", () => {
    expect(find("secret")).toEqual(["API keys"]);
    expect(find("ck")).toEqual(["Create key"]);
    expect(find("cope")).toEqual(["Keys and scopes"]);
    expect(find("op")).toEqual([]);
  });

  it("returns nothing for punctuation", () => {
    expect(find("?!")).toEqual([]);
    expect(scoreOf({ name: "" }, "x")).toBe(0);
  });
});
