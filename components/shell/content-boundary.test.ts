import { parseHTML } from "linkedom";
import { act, createElement, type ReactNode, startTransition } from "react";
import { createRoot, type Root } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ContentBoundary } from "./content-boundary";

const CONTENT = createElement("input", { name: "content" });

function page(isReady: boolean, children: ReactNode) {
  return createElement(ContentBoundary, { isReady, skeleton: "Loading", children });
}

function later(): [promise: Promise<Awaited<ReactNode>>, resolve: () => void] {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReactNode>>();
  return [promise, () => resolve(CONTENT)];
}

describe("ContentBoundary", () => {
  let container: HTMLElement;
  let root: Root;

  beforeEach(() => {
    const { window, document } = parseHTML("<div></div>");
    vi.stubGlobal("window", window);
    vi.stubGlobal("document", document);
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    container = document.querySelector("div") as HTMLElement;
    root = createRoot(container);
  });

  afterEach(async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  });

  const show = (next: ReactNode) => act(async () => startTransition(() => root.render(next)));

  it("shows the skeleton until content that wasn't ready arrives", async () => {
    const [content, resolve] = later();
    await show(page(false, content));
    expect(container.textContent).toBe("Loading");
    await act(async () => resolve());
    expect(container.querySelector("input")).not.toBeNull();
    expect(container.textContent).toBe("");
  });

  it.each([
    ["fast", true],
    ["slow", false],
  ])("keeps the content of a %s load mounted during a refresh", async (_, isReady) => {
    await show(page(isReady, isReady ? CONTENT : Promise.resolve(CONTENT)));
    const input = container.querySelector("input");
    expect(input).not.toBeNull();
    const [content, resolve] = later();
    await show(page(false, content));
    expect(container.textContent).toBe("");
    expect(container.querySelector("input")).toBe(input);
    await act(async () => resolve());
    expect(container.querySelector("input")).toBe(input);
    await show(page(true, CONTENT));
    expect(container.querySelector("input")).toBe(input);
  });

  it("sends content that is ready without a boundary", () => {
    expect(renderToStaticMarkup(page(true, CONTENT))).toBe('<input name="content"/>');
  });
});
