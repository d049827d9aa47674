import { createRequire } from "node:module";
import type { ComponentType } from "react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readRepositoryFile } from "./source";

interface Shown {
  content: string;
  annotations: object[];
}

/** The component as the guide prints it, compiled. */
async function compileComponent(): Promise<ComponentType<Shown>> {
  const text = await readRepositoryFile("docs/render-citations.md");
  const code = /```tsx title="cited-answer.tsx"\n([\s\S]*?)^```/m.exec(text)?.[1] ?? "";
  const { outputText, diagnostics } = ts.transpileModule(code, {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, jsx: ts.JsxEmit.ReactJSX },
  });
  expect(diagnostics).toEqual([]);
  const exports: { CitedAnswer?: ComponentType<Shown> } = {};
  new Function("require", "exports", outputText)(createRequire(import.meta.url), exports);
  return exports.CitedAnswer ?? (() => null);
}

function cite(start: number, more: object): object {
  return {
    type: "url_citation",
    url_citation: {
      citation_id: 1,
      start_index: start,
      end_index: start + 3,
      title: "Apixaban",
      url: "https://example.org/a",
      claim: { text: "" },
      ...more,
    },
  };
}

describe("the component of the citations guide", () => {
  it("puts a named marker where each citation is, counted in code points", async () => {
    const CitedAnswer = await compileComponent();
    const content = "Take 💊 5 mg [1] twice. Not 9 mg [1].";
    const html = renderToStaticMarkup(
      createElement(CitedAnswer, {
        content,
        annotations: [
          cite(12, {
            verification: { verdict: "supported", reason: null },
            quote: { text: "5 mg <b>twice</b> daily", section: null, permalink: null },
          }),
          cite(32, { verification: { verdict: "contradicted", reason: "number" }, quote: null }),
        ],
      }),
    );
    const text = html.replaceAll(/<span id[\s\S]*?<\/span>/g, "").replaceAll(/<[^>]+>/g, "");
    expect(text).toBe("Take 💊 5 mg [1] twice. Not 9 mg [1] ⚠.");
    expect(html).toContain('aria-label="Source 1: Apixaban. The source says this."');
    expect(html).toContain("<q>5 mg &lt;b&gt;twice&lt;/b&gt; daily</q>");
    expect(html).toContain("The source says otherwise.");
    expect(html.match(/<button/g)).toHaveLength(2);
  });

  it("shows an answer without citations as it is, and links to web addresses only", async () => {
    const CitedAnswer = await compileComponent();
    const plain = createElement(CitedAnswer, { content: "Hello.", annotations: [] });
    expect(renderToStaticMarkup(plain)).toContain(">Hello.</p>");
    const unsafe = createElement(CitedAnswer, {
      content: "A [1]",
      annotations: [cite(2, { url: "javascript:alert(1)" })],
    });
    expect(renderToStaticMarkup(unsafe)).not.toContain("href");
  });
});
