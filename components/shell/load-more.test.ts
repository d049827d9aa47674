import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LoadMore } from "./load-more";

const LOADED = {
  data: {},
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  isPlaceholderData: false,
  error: null,
  fetchNextPage: () => Promise.reject(new Error("not called")),
};

function status(count: number, change: Partial<typeof LOADED> = {}): string | undefined {
  const query = { ...LOADED, ...change };
  const noun = { one: "key", many: "keys" };
  const markup = renderToStaticMarkup(createElement(LoadMore, { query, noun, count } as never));
  return /<p role="status"[^>]*>(.*)<\/p>/.exec(markup)?.[1];
}

describe("LoadMore", () => {
  it.each([
    [0, false, "No keys"],
    [1, false, "1 key"],
    [2, false, "2 keys"],
    [50, true, "Showing 50 keys"],
  ])("announces %s items, with more to come: %s", (count, hasNextPage, text) => {
    expect(status(count, { hasNextPage })).toBe(text);
  });

  it("announces nothing before the first items are loaded", () => {
    expect(status(0, { data: undefined } as never)).toBe("");
  });

  it("announces a count again when another filter gives the same one", () => {
    expect(status(2, { isPlaceholderData: true })).toBe('<span aria-hidden="true">2 keys</span>');
  });
});
