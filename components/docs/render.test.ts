import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MARKDOWN_PAGES } from "./pages";
import { renderPage } from "./render";
import { readRepositoryFile } from "./source";
import { readOpening } from "./summaries";
import { collectHeadings, groupSamples, type Heading, type HtmlNode } from "./tree";

const text = (value: string): HtmlNode => ({ type: "text", value });
const pre = (language: string | null, code: string): HtmlNode => ({
  type: "element",
  tagName: "pre",
  children: [
    {
      type: "element",
      tagName: "code",
      ...(language && { properties: { className: [`language-${language}`] } }),
      children: [text(`${code}\n`)],
    },
  ],
});
const samplesOf = (tree: HtmlNode) =>
  tree.children
    ?.filter(({ tagName }) => tagName === "figure")
    .map(({ properties }) => JSON.parse(String(properties?.dataSamples)));

describe("a docs page", () => {
  it("has a title, a description and a unique anchor for each section", async () => {
    for (const page of MARKDOWN_PAGES) {
      const { title, description } = readOpening(await readRepositoryFile(page.file));
      expect(title, page.slug).not.toBe("");
      expect(description, page.slug).toMatch(/\w.*[.:]$/);
      expect(`${title} ${description}`).not.toMatch(/[`*[\]]|\n/);
      const { headings } = await renderPage(page);
      expect(headings.length, page.slug).toBeGreaterThan(2);
      expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length);
    }
  });

  it("drops raw HTML and comments", async () => {
    const page = MARKDOWN_PAGES.find(({ slug }) => slug === "errors");
    const { Content } = await renderPage(page ?? { slug: "", label: "", file: "" });
    const html = renderToStaticMarkup(createElement(Content));
    expect(html).toContain('<h2 id="invalid_request">');
    expect(html).not.toContain("The tests write");
  });
});

describe("code blocks", () => {
  it("merge when consecutive blocks have different languages", () => {
    const tree: HtmlNode = {
      type: "root",
      children: [
        pre("bash", "curl x"),
        text("\n"),
        pre("python", "x()"),
        text("\n"),
        pre("python", "y()"),
        { type: "element", tagName: "p", children: [text("and")] },
        pre("bash", "npm start"),
        pre(null, "npm test"),
      ],
    };
    groupSamples()(tree);
    expect(samplesOf(tree)).toEqual([
      [
        { label: "curl", code: "curl x" },
        { label: "Python", code: "x()" },
      ],
      [{ label: "Python", code: "y()" }],
      [{ label: "Shell", code: "npm start" }],
      [{ label: "Shell", code: "npm test" }],
    ]);
  });

  it("merge inside lists too, and leave other nodes unchanged", () => {
    const item: HtmlNode = {
      type: "element",
      tagName: "li",
      children: [text("a"), pre("json", "{}")],
    };
    const tree: HtmlNode = { type: "root", children: [item, text("\n")] };
    groupSamples()(tree);
    expect(tree.children?.[0]?.children?.map(({ tagName, value }) => tagName ?? value)).toEqual([
      "a",
      "figure",
    ]);
  });
});

describe("headings", () => {
  it("are collected from levels two and three, as plain text", () => {
    const found: Heading[] = [];
    const heading = (tagName: string, id: string): HtmlNode => ({
      type: "element",
      tagName,
      properties: { id },
      children: [{ type: "element", tagName: "code", children: [text(id)] }],
    });
    collectHeadings(found)()({
      type: "root",
      children: [heading("h1", "a"), heading("h2", "b"), heading("h3", "c"), heading("h4", "d")],
    });
    expect(found).toEqual([
      { id: "b", text: "b", depth: 2 },
      { id: "c", text: "c", depth: 3 },
    ]);
  });
});
