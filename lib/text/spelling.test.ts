import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "./analyzer";
import { collectSpellable, deletionsOf, editsBetween, isSpellable, maxEdits } from "./spelling";

describe("spellable words", () => {
  it.each(["metformin", "aorta", "диабет", "στατινη"])("include %s", (word) => {
    expect(isSpellable(word)).toBe(true);
  });

  it.each([
    ["a short word", "leg"],
    ["digits", "gata3"],
    ["mixed scripts", "metfоrmin"],
    ["pairs of characters", "糖尿"],
    ["a run that is too long for a word", "x".repeat(33)],
  ])("exclude %s: %s", (_, word) => {
    expect(isSpellable(word)).toBe(false);
  });

  it("are collected once, and up to a limit", () => {
    const words = new Map<string, number>();
    collectSpellable(wordsOf("Statins, statin, STATINS and B12"), words);
    expect([...words.keys()]).toEqual(["statins", "statin"]);
    expect(new Set(words.values()).size).toBe(1);
    const letters = (index: number) =>
      index.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
    const many = Array.from({ length: 60_000 }, (_, index) => `word${letters(index)}`);
    collectSpellable(
      many.map((word) => ({ word, term: "same" })),
      words,
    );
    expect(words.size).toBeLessThanOrEqual(50_000);
  });
});

describe("edits", () => {
  it.each([
    ["metformin", "metformin", 0],
    ["metfromin", "metformin", 1],
    ["metfornin", "metformin", 1],
    ["metformn", "metformin", 1],
    ["mettformin", "metformin", 1],
    ["diahrrea", "diarrhea", 2],
    ["", "four", 4],
  ])("from %s to %s are %i", (from, to, edits) => {
    expect(editsBetween(from, to)).toBe(edits);
    expect(editsBetween(to, from)).toBe(edits);
  });
});

describe("deletions", () => {
  it("are shared by words as many edits apart as a correction may be", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcd"), minLength: 8, maxLength: 12 });
    const edit = fc.record({
      at: fc.nat(10),
      added: fc.constantFrom("", "a", "e", "ea"),
      removed: fc.nat(1),
    });
    const edited = (
      from: string,
      { at, added, removed }: { at: number; added: string; removed: number },
    ) => from.slice(0, 1 + at) + added + from.slice(1 + at + removed);
    fc.assert(
      fc.property(word, edit, edit, (one, first, second) => {
        const other = edited(edited(one, first), second);
        fc.pre(editsBetween(one, other) <= Math.min(maxEdits(one), maxEdits(other)));
        const deletions = deletionsOf(other, maxEdits(other));
        expect([...deletionsOf(one, maxEdits(one))].some((each) => deletions.has(each))).toBe(true);
      }),
    );
  });

  it("are few, however long the word is", () => {
    expect(deletionsOf("word", 1).size).toBe(5);
    expect(deletionsOf("a".repeat(32), 2).size).toBe(3);
    expect(deletionsOf("abcdefghijklmnopqrstuvwxyz", 2).size).toBe(47);
  });
});
