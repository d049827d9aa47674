import { globSync, readFileSync } from "node:fs";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { BillingSkeleton } from "@/components/billing/billing-skeleton";
import { DocumentsSkeleton } from "@/components/documents/documents-skeleton";
import { KeySkeleton } from "@/components/keys/key-skeleton";
import { KeysSkeleton } from "@/components/keys/keys-skeleton";
import { OverviewSkeleton } from "@/components/overview/overview-skeleton";
import { PlaygroundSkeleton } from "@/components/playground/playground-skeleton";
import { StartSkeleton } from "@/components/start/start-skeleton";
import { RequestSkeleton } from "@/components/usage/request-skeleton";
import { UsageSkeleton } from "@/components/usage/usage-skeleton";

const KEY = { name: "Intake assistant", last_used_at: "2026-11-22T12:00:00Z" };
const PAGES: Record<string, FunctionComponent> = {
  ...{ BillingSkeleton, DocumentsSkeleton, KeysSkeleton, OverviewSkeleton },
  ...{ PlaygroundSkeleton, StartSkeleton, UsageSkeleton },
  KeySkeleton: () => KeySkeleton({ apiKey: KEY }),
  RequestSkeleton: () => RequestSkeleton({ id: "req_1" }),
};

describe("a page's skeleton", () => {
  it.each(Object.entries(PAGES))("tells screen readers once what loads: %s", (_, Page) => {
    expect(statuses(renderToStaticMarkup(createElement(Page)))).toEqual([
      { text: expect.stringMatching(/^Loading \w+/), isHidden: false },
    ]);
  });

  it.each(globSync("app/(console)/**/page.tsx"))("is shown by every console page: %s", (file) => {
    expect(readFileSync(file, "utf8")).toMatch(/<(?:PageContent|Suspense)\s/);
  });
});

/** The status messages in markup without void elements, and whether an element around them is hidden from assistive technology. */
function statuses(markup: string) {
  const hidden: boolean[] = [];
  const found: { text: string; isHidden: boolean }[] = [];
  for (const [, close, attributes = "", text = ""] of markup.matchAll(
    /<(\/?)\w+([^>]*)>([^<]*)/g,
  )) {
    if (close) {
      hidden.pop();
      continue;
    }
    hidden.push(attributes.includes('aria-hidden="true"'));
    if (attributes.includes('role="status"')) {
      found.push({ text, isHidden: hidden.includes(true) });
    }
  }
  return found;
}
