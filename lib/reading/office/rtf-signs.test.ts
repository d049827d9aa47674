import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";

afterAll(closeParserPool);

describe("an RTF", () => {
  it("has spaces and hyphens that don't break as characters", async () => {
    const bytes = Buffer.from(String.raw`{\rtf1\ansi Take 5\~mg\b0\~twice, low\_dose, a\\~b.\par}`);
    const { text, warnings } = await readDocument({
      bytes,
      name: null,
      title: null,
      mediaType: null,
    });
    expect(text.replace(/\s/g, " ")).toBe(String.raw`Take 5 mg twice, low-dose, a\~b.`);
    expect(warnings).toEqual([]);
  });

  it("says that it hides text", async () => {
    const bytes = Buffer.from(
      String.raw`{\rtf1\ansi\viewkind4 Seen {\v not seen} and \v0 seen.\par}`,
    );
    const { warnings } = await readDocument({ bytes, name: null, title: null, mediaType: null });
    expect(warnings).toMatchObject([
      { code: "hidden_text", message: expect.stringContaining("1 passage") },
    ]);
  });
});
