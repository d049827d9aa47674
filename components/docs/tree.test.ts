import { describe, expect, it } from "vitest";
import { readResources } from "./api/openapi";
import { DOC_GROUPS } from "./pages";
import { adjacentPages, docAddresses, firstShown, PAGE_TREE } from "./tree";

describe("the page tree", () => {
  it("has the groups and every page, with the API's resources inside their reference", () => {
    const groups = PAGE_TREE.children.filter(({ type }) => type === "separator");
    expect(groups.map(({ name }) => name)).toEqual(DOC_GROUPS.map(({ name }) => name));
    const expected = DOC_GROUPS.flatMap(({ pages }) =>
      pages.flatMap(({ slug }) => [
        `/docs/${slug}`,
        ...(slug === "api" ? readResources().map((each) => `/docs/api/${each.slug}`) : []),
      ]),
    );
    expect(docAddresses()).toEqual(expected);
  });

  it("links every page to the previous and next one", () => {
    const addresses = docAddresses();
    const seen = [addresses[0] ?? ""];
    for (let next = adjacentPages(seen[0] ?? "").next; next; next = adjacentPages(next.url).next) {
      expect(adjacentPages(next.url).previous?.url).toBe(seen.at(-1));
      seen.push(next.url);
    }
    expect(seen).toEqual(addresses);
    expect(adjacentPages("/docs")).toEqual({ previous: null, next: null });
  });

  it("begins the navigation at its top, except for pages far down", () => {
    const pages = DOC_GROUPS.flatMap((group) => group.pages).map(({ slug }) => `/docs/${slug}`);
    expect([firstShown("/docs"), ...pages.slice(0, 20).map(firstShown)]).toEqual(
      Array.from({ length: 21 }, () => null),
    );
    expect(firstShown(pages.at(-1) ?? "")).toBe(pages.at(-13));
    const [first] = readResources();
    expect(firstShown(`/docs/api/${first?.slug}`)).toBe(pages[pages.indexOf("/docs/api") - 11]);
  });
});
