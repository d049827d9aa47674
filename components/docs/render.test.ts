import type { Code, Root, RootContent } from "mdast";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { labelCodeBlocks } from "./label-code-blocks";
import { LOCAL_ADDRESS } from "./local-address";
import { MARKDOWN_PAGES } from "./pages";
import { markdownComponents } from "./prose";
import { renderPage } from "./render";
import { readRepositoryFile } from "./source";
import { readOpening } from "./summaries";

const code = (lang: string | null, value: string): Code => ({ type: "code", lang, value });
const paragraph: RootContent = { type: "paragraph", children: [{ type: "text", value: "and" }] };

function metaOf(children: RootContent[]): (string | null | undefined)[] {
  const tree: Root = { type: "root", children };
  labelCodeBlocks()(tree);
  return children.flatMap((child) => (child.type === "code" ? [child.meta] : []));
}

async function htmlOf(slug: string): Promise<string> {
  const page = MARKDOWN_PAGES.find((each) => each.slug === slug);
  const file = page?.file ?? "";
  const { Content } = await renderPage({ file });
  return renderToStaticMarkup(Content({ components: markdownComponents(file) }));
}

describe("a docs page", () => {
  it("has a title, a description and a unique anchor for each section", async () => {
    for (const page of MARKDOWN_PAGES) {
      const { title, description } = readOpening(await readRepositoryFile(page.file));
      expect(title, page.slug).not.toBe("");
      expect(description, page.slug).toMatch(/\w.*[.:]$/);
      expect(`${title} ${description}`).not.toMatch(/[`*[\]]|\n/);
      const { toc } = await renderPage(page);
      expect(toc.length, page.slug).toBeGreaterThan(2);
      expect(new Set(toc.map(({ url }) => url)).size).toBe(toc.length);
    }
  });

  it("drops raw HTML and comments", async () => {
    const html = await htmlOf("errors");
    expect(html).toContain('<h2 id="invalid_request"');
    expect(html).not.toContain("The tests write");
  });

  it("highlights code by classes, on the server", async () => {
    const html = await htmlOf("quickstart");
    expect(html).toContain('class="code-keyword"');
    expect(html).not.toMatch(/<span[^>]* style=|code-constant/);
  });

  it("has each language's code in the page, without JavaScript too", async () => {
    const html = await htmlOf("quickstart");
    for (const text of ["curl", "from", "process"]) {
      expect(html).toContain(text);
    }
    expect(html.match(/role="tab"/g)?.length).toBeGreaterThan(5);
    expect(html.match(/data-code-tab/g)).toHaveLength(html.match(/role="tab"/g)?.length ?? 0);
  });

  it("keeps an address in one text, so that the browser can replace it", async () => {
    const source = await readRepositoryFile("docs/quickstart.md");
    const samples = source.match(/^```[\s\S]*?^```/gm)?.join("\n") ?? "";
    const expected = samples.split(LOCAL_ADDRESS).length - 1;
    const html = await htmlOf("quickstart");
    const blocks = html.match(/<pre[\s\S]*?<\/pre>/g)?.join("\n") ?? "";
    expect(expected).toBeGreaterThan(5);
    expect(blocks.split(LOCAL_ADDRESS).length - 1).toBe(expected);
  });
});

describe("code blocks", () => {
  it("become tabs when consecutive ones have different languages", () => {
    const metas = metaOf([
      code("bash", "curl x"),
      code("python", "x()"),
      code("python", "y()"),
      paragraph,
      code("bash", "npm start"),
      code(null, "npm test"),
    ]);
    expect(metas).toEqual([
      'title="curl" tab="curl"',
      'title="Python" tab="Python"',
      'title="Python"',
      'title="Shell"',
      'title="Shell"',
    ]);
  });

  it("keep a title of their own, and are found inside lists", () => {
    const block: Code = { ...code("tsx", "x"), meta: 'title="app/page.tsx"' };
    expect(metaOf([block])).toEqual(['title="app/page.tsx"']);
    const inner = code("json", "{}");
    metaOf([
      {
        type: "list",
        children: [{ type: "listItem", children: [inner] }],
      },
    ]);
    expect(inner.meta).toBe('title="JSON"');
  });
});
