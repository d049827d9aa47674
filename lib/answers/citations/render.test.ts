import { describe, expect, it } from "vitest";
import { normalizeMarkers } from "@/lib/evidence/markers";
import { MarkerRenderer, toShownSources } from "./render";
import type { CitationsOptions, CitedSource } from "./schema";

type Options = Pick<CitationsOptions, "render" | "numbering">;

const SOURCES = [1, 2, 3].map((id) => ({ id, title: `T${id}`, url: `https://e.org/${id}` }));

function render(text: string, options: Partial<Options>) {
  const all: Options = { render: "markers", numbering: "source", ...options };
  const renderer = new MarkerRenderer(SOURCES, all);
  const normalized = normalizeMarkers(text, SOURCES.length);
  const output = renderer.write(normalized.text, normalized.markers) + renderer.end();
  return { output, renderer };
}

function cited(id: number, title: string, metadata: object = {}): CitedSource {
  return { id, title, metadata: metadata as CitedSource["metadata"], document_id: `doc_${id}` };
}

describe("rendered markers", () => {
  it("are Markdown links", () => {
    const { output } = render("Sure 👩‍⚕️ [2]. Yes [3][1].", { render: "links" });
    expect(output).toBe(
      "Sure 👩‍⚕️ [[2]](https://e.org/2). Yes [[3]](https://e.org/3)[[1]](https://e.org/1).",
    );
  });

  it("are Markdown footnotes, listed once each after the text", () => {
    const { output } = render("Sure [2]. Yes [3]. Again [2].", { render: "footnotes" });
    expect(output).toBe(
      "Sure [^2]. Yes [^3]. Again [^2].\n\n[^2]: [T2](https://e.org/2)\n[^3]: [T3](https://e.org/3)",
    );
    expect(render("Nothing is cited.", { render: "footnotes" }).output).toBe("Nothing is cited.");
  });

  it("are numbered by appearance, with the sources that aren't cited after them", () => {
    const { output, renderer } = render("Sure [3]. Yes [1]. Again [3].", {
      numbering: "appearance",
    });
    expect(output).toBe("Sure [1]. Yes [2]. Again [1].");
    expect([1, 2, 3].map((id) => renderer.numberOf(id))).toEqual([2, 3, 1]);
  });

  it("leave code and links alone", () => {
    const text = "`a[1]` and [a page](https://e.org/[1]) [1].";
    expect(render(text, { render: "links" }).output).toBe(
      "`a[1]` and [a page](https://e.org/[1]) [[1]](https://e.org/1).",
    );
  });
});

describe("shown sources", () => {
  const linksOf = ({ id, metadata }: CitedSource) => ({
    url: String(metadata.url),
    passage: `https://here.org/${id}`,
  });

  it("have distinct titles: by page, section or number", () => {
    const sources = [
      cited(1, "Stroke", { page: 2 }),
      cited(2, "Stroke", { page: 3 }),
      cited(3, "Asthma", { section: "Signs" }),
      cited(4, "Asthma", { section: "Signs" }),
      cited(5, "Gout", { section: "Signs" }),
      cited(6, "Flu"),
      cited(7, "Flu"),
      cited(8, "Mumps", { section: "Mumps › Signs" }),
      cited(9, "Mumps", { section: "Mumps" }),
    ];
    const titles = toShownSources(sources, linksOf).map(({ title }) => title);
    expect(titles).toEqual([
      "Stroke (p. 2)",
      "Stroke (p. 3)",
      "Asthma (Signs) (3)",
      "Asthma (Signs) (4)",
      "Gout",
      "Flu (6)",
      "Flu (7)",
      "Mumps (Signs)",
      "Mumps",
    ]);
    expect(new Set(titles).size).toBe(sources.length);
  });

  it("have distinct links that can't end a Markdown link early", () => {
    const sources = [
      "https://e.org/a",
      "https://e.org/a",
      "https://e.org/b_(c) d",
      "not a url",
    ].map((url, index) => cited(index + 1, `T${index}`, { url }));
    expect(toShownSources(sources, linksOf).map(({ url }) => url)).toEqual([
      "https://here.org/1",
      "https://here.org/2",
      "https://e.org/b_%28c%29%20d",
      "https://here.org/4",
    ]);
  });

  it("keep their titles from breaking a footnote", () => {
    const shown = { id: 1, title: "A]\n(b) *c* [x](y)", url: "https://e.org/1" };
    const renderer = new MarkerRenderer([shown], { render: "footnotes", numbering: "source" });
    renderer.write("Yes [1].", [{ id: 1, start: 4, end: 7 }]);
    expect(renderer.end()).toBe("\n\n[^1]: [A\\] (b) \\*c\\* \\[x\\](y)](https://e.org/1)");
  });
});
