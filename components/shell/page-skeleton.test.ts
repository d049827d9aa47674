import { globSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PageSkeleton, type SkeletonBlock } from "./page-skeleton";

const BLOCKS: SkeletonBlock[] = [
  "h-40",
  { list: 4, isCompact: true },
  { grid: "grid-cols-3", fields: 3 },
  { grid: "gap-4", blocks: [{ bar: "h-6" }, "h-20"] },
];

describe("a page's skeleton", () => {
  it("tells screen readers once what loads, and nothing else", () => {
    const header = createElement("h1", {}, "API keys");
    const props = { header, label: "Loading keys", blocks: BLOCKS };
    const markup = renderToStaticMarkup(createElement(PageSkeleton, props));
    expect(markup.match(/role="status"[^>]*>Loading keys</g)).toHaveLength(1);
    expect(markup.replaceAll(/<[^>]*>/g, "")).toBe("API keysLoading keys");
  });

  it.each(globSync("app/(console)/**/page.tsx"))("is shown by every console page: %s", (file) => {
    expect(readFileSync(file, "utf8")).toMatch(/<(?:PageContent|Suspense)\s/);
  });
});
