import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ContentBoundary } from "./content-boundary";
import { PageContent } from "./page-content";

const SKELETON = "skeleton";

describe("PageContent", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("shows content that comes at once without a skeleton", async () => {
    expect(
      await PageContent({ view: Promise.resolve("content"), skeleton: SKELETON }),
    ).toMatchObject({ type: ContentBoundary, props: { isReady: true, children: "content" } });
  });

  it("shows the skeleton while the content takes longer", async () => {
    const view = new Promise<string>(() => {});
    const rendered = PageContent({ view, skeleton: SKELETON });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await rendered).toMatchObject({
      type: ContentBoundary,
      props: { isReady: false, skeleton: SKELETON, children: view },
    });
  });

  it("fails as its content does", async () => {
    const view = Promise.reject(new Error("no database"));
    await expect(PageContent({ view, skeleton: SKELETON })).rejects.toThrow("no database");
  });
});
