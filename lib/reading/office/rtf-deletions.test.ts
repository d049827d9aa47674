import { describe, expect, it } from "vitest";
import { withoutDeletions } from "./rtf-deletions";

const without = (rtf: string) =>
  Buffer.from(withoutDeletions(Buffer.from(rtf, "latin1"))).toString("latin1");

describe("tracked changes of an RTF", () => {
  it("lose what was deleted and keep what was inserted", () => {
    const dose = (deleted: string) =>
      `{\\rtf1\\ansi Give {\\revised\\revauth1 20 mg}${deleted}{ daily.}\\par}`;
    expect(without(dose("{\\rtlch\\deleted\\revauthdel1 \\loch\r\n50 mg \\{a\\}}"))).toBe(dose(""));
  });

  it("keep runs that aren't deleted, and their bytes", () => {
    const kept = "{\\rtf1{\\deleted0 a\\'e9\xff}{\\b b}{\\deletedx c}}";
    expect(without(`${kept}{\\deleted d}`)).toBe(kept);
  });

  it("are found in one pass", () => {
    const open = "{\\b ".repeat(100_000) + "\\deleted ".repeat(100_000);
    expect(without(open)).toBe(open);
  });
});
