import { unzipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docxFiles, odt, pptx, wordParagraph, xlsx, zip } from "@/lib/testing/document-files";
import type { ReadDocument } from "./read-task";

afterAll(closeParserPool);

function read(content: Uint8Array): Promise<ReadDocument> {
  return readDocument({ bytes: Buffer.from(content), name: null, title: null, mediaType: null });
}

const MACROS = Buffer.from("Attribute VB_Name: words of the macro");
const ONE_SCRIPT = [
  { code: "scripts_left_out", message: expect.stringMatching(/^The file has 1 macro or script/) },
];

describe("what a file has besides its text", () => {
  it.each([
    ["DOCX", "word", zip(docxFiles(wordParagraph("What the file shows.")))],
    ["XLSX", "xl", xlsx({ Doses: [["Drug"], ["What the file shows."]] })],
    ["PPTX", "ppt", pptx([{ title: "Doses", body: ["What the file shows."] }])],
  ])("is reported if it is a macro of a %s", async (_format, folder, bytes) => {
    const withMacros = zip({ ...unzipSync(bytes), [`${folder}/vbaProject.bin`]: MACROS });
    const { text, warnings } = await read(withMacros);
    expect(text).toContain("What the file shows.");
    expect(text).not.toContain("macro");
    expect(warnings).toEqual(ONE_SCRIPT);
  });

  it("is reported if it is a script of an OpenDocument file", async () => {
    const bytes = odt("<text:p>What the file shows.</text:p>");
    const { warnings } = await read(
      zip({
        ...unzipSync(bytes),
        "Basic/Standard/script-lb.xml": "<library/>",
        "Basic/Standard/Module1.xml": "<module>words of the macro</module>",
      }),
    );
    expect(warnings).toEqual(ONE_SCRIPT);
  });

  it("is reported if it is a slide that isn't shown, but not if it is a run that was hidden before", async () => {
    const slides = unzipSync(pptx([{ title: "Doses", body: ["Shown."] }]));
    const slide = Buffer.from(slides["ppt/slides/slide1.xml"] ?? []).toString();
    const hidden = {
      ...slides,
      "ppt/slides/slide1.xml": slide.replace("<p:sld ", '<p:sld show="0" '),
    };
    expect((await read(zip(hidden))).warnings).toMatchObject([{ code: "hidden_text" }]);
    const change = "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>";
    const run = wordParagraph("Seen.", { run: change });
    expect((await read(zip(docxFiles(run)))).warnings).toEqual([]);
  });

  it("is reported if it is an entity, which is neither expanded nor loaded", async () => {
    const files = docxFiles(wordParagraph("Before &amp;x; after."));
    const main = files["word/document.xml"] ?? "";
    const entity = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const body = main.replace("&amp;x;", "&x;");
    const document = body.startsWith("<?xml")
      ? body.replace("?>", `?>${entity}`)
      : `${entity}${body}`;
    const { text, warnings } = await read(zip({ ...files, "word/document.xml": document }));
    expect(text).toMatch(/^Before .*after\.$/);
    expect(text).not.toContain("root:");
    expect(warnings).toMatchObject([{ code: "entities_left_out" }]);
  });
});
