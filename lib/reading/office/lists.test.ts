import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { odt } from "@/lib/testing/document-files";
import { docxWithList } from "@/lib/testing/office-files";
import { formatNumber, joinLabel } from "./list-labels";

afterAll(closeParserPool);

async function linesOf(content: Uint8Array | string): Promise<string[]> {
  const bytes = Buffer.from(content);
  const { text } = await readDocument({ bytes, name: null, title: null, mediaType: null });
  return text.split("\n").filter(Boolean);
}

describe("the numbers of clauses", () => {
  it("of a DOCX are those that Word shows, with the ones above them", async () => {
    const levels: [string, string][] = [
      ["decimal", "%1."],
      ["lowerLetter", "(%2)"],
      ["lowerRoman", "(%3)"],
    ];
    const items: [number, string][] = [
      [0, "Terms"],
      [0, "Payment"],
      [1, "Due dates"],
      [1, "Interest"],
      [2, "Rate"],
      [0, "End"],
      [1, "Notice"],
    ];
    expect(await linesOf(docxWithList(levels, items))).toEqual([
      "1. Terms",
      "2. Payment",
      "2(a) Due dates",
      "2(b) Interest",
      "2(b)(i) Rate",
      "3. End",
      "3(a) Notice",
    ]);
  });

  it("of Markdown are counted from the first one's, with the ones above them", async () => {
    const text =
      "# Terms\n\n3. Pay\n   more\n\n   Still three.\n   1. by card\n   - or cash\n3. Leave\n\n- bye\n";
    expect(await linesOf(text)).toEqual([
      "Terms",
      "3. Pay more",
      "- Still three.",
      "3.1 by card",
      "- or cash",
      "4. Leave",
      "- bye",
    ]);
  });

  it("that already name the ones above them stay as they are, and bullets have none", async () => {
    const levels: [string, string][] = [
      ["upperRoman", "Article %1"],
      ["decimal", "%1.%2"],
      ["bullet", "o"],
    ];
    const items: [number, string][] = [
      [0, "Scope"],
      [1, "People"],
      [2, "A note"],
      [1, "Places"],
    ];
    expect(await linesOf(docxWithList(levels, items))).toEqual([
      "Article I Scope",
      "I.1 People",
      "- A note",
      "I.2 Places",
    ]);
  });

  it("of an ODT are in its list style", async () => {
    const style = (level: number, format: string) =>
      `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-suffix=")"/>`;
    const item = (text: string, below = "") =>
      `<text:list-item><text:p>${text}</text:p>${below}</text:list-item>`;
    const list = `<text:list text:style-name="L1">${item("One")}${item("Two", `<text:list>${item("Sub")}</text:list>`)}</text:list>`;
    const styles = `<text:list-style style:name="L1" >${style(1, "1")}${style(2, "a")}</text:list-style>`;
    const lines = await linesOf(odt(list, "", styles));
    expect(lines).toEqual(["1) One", "2) Two", "2(a) Sub"]);
  });

  it("of a web page follow start, value, type and style", async () => {
    const page =
      '<!doctype html><ol start="2"><li>Two<ol type="a"><li>Sub</li><li>Next</li></ol></li><li value="7">Seven<ol style="list-style-type: lower-roman"><li>Roman</li></ol></li></ol><ul><li>Dot</li></ul>';
    expect(await linesOf(page)).toEqual([
      "2. Two",
      "2(a) Sub",
      "2(b) Next",
      "7. Seven",
      "7(i) Roman",
      "- Dot",
    ]);
  });

  it("are short, however large", () => {
    expect(formatNumber(28, "lowerLetter")).toBe("bb");
    expect(formatNumber(1994, "upperRoman")).toBe("MCMXCIV");
    expect(formatNumber(1_000_000_000, "lowerLetter")).toBe("1000000000");
    expect(formatNumber(0, "lowerRoman")).toBe("0");
    expect(joinLabel(["2.", ""], "(a)")).toBe("2(a)");
    expect(joinLabel(["2"], "2.")).toBe("2.2");
    expect(joinLabel(["2."], "2.1.")).toBe("2.1.");
  });
});
