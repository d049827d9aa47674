import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendStruck, strike, withoutUnasserted } from "./unasserted";

const said = (text: string) => withoutUnasserted(text).replace(/\s+/g, " ").trim();

describe("what a text shows without saying it", () => {
  it.each([
    ["Give ~~50 mg~~ 5 mg daily.", "Give 5 mg daily."],
    ["~~Ten a day.~~ Ten a week.", ". Ten a week."],
    ["| ~~Warfarin~~ | ~~5 mg~~ |", "| | |"],
    ["About ~~ 5 and ~~~ fences", "About ~~ 5 and ~~~ fences"],
    ["☐ Pregnant. Since May.\n☑ Smoker", "☑ Smoker"],
    ["Sex: ☐ male ☒ female", "Sex: ☒ female"],
    ["Diabetes: yes ☐ no ☑", "Diabetes: no ☑"],
    ["- ☐ Aspirin\n- Heparin", "- - Heparin"],
    ["- [ ] Pregnant\n- [x] Consent", "- - [x] Consent"],
    ["Consent given: ☐ by fax. The dose is 5 mg.", "Consent given: . The dose is 5 mg."],
    ["| ☐ yes | ☑ no |", "| | ☑ no |"],
  ])("reads %j as %j", (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  it("marks each struck sentence alone, and adjoining runs once", () => {
    expect(strike("One a day. Two a day. ")).toBe("~~One a day.~~ ~~Two a day.~~ ");
    expect(appendStruck(appendStruck("Give ", "50"), " mg")).toBe("Give ~~50~~ ~~mg~~");
    expect(appendStruck(appendStruck("Give ", "meth"), "otrexate")).toBe("Give ~~methotrexate~~");
  });

  const texts = fc
    .array(
      fc.constantFrom("~~", "~", "☐", "☑", "[ ]", "[x]", " ", "\n", "|", ".", ":", "a", "5 mg"),
    )
    .map((parts) => parts.join(""));

  it("keeps every offset and adds nothing", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const asserted = withoutUnasserted(text);
        expect(asserted).toHaveLength(text.length);
        for (const [at, char] of Array.from(asserted).entries()) {
          expect([text[at], " "]).toContain(char);
        }
      }),
    );
  });

  it("says nothing of what is struck", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z .!?]{0,40}$/), (text) => {
        expect(withoutUnasserted(strike(text))).not.toMatch(/[a-z~]/);
      }),
    );
  });

  it("takes linear time", () => {
    for (const text of [
      "~~a ".repeat(20_000),
      "☐ ".repeat(20_000),
      "~~".repeat(20_000),
      "~~a|".repeat(20_000),
    ]) {
      expect(withoutUnasserted(text)).toHaveLength(text.length);
    }
  });
});
