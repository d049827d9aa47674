import { describe, expect, it } from "vitest";
import { deferScripts } from "./defer-scripts.mjs";

const HEAD = `<link rel="preload" as="script" fetchPriority="low" href="/_next/b.js"/><script>theme()</script>`;
const SCRIPTS = `<script src="/_next/a.js" async=""></script><script src="/_next/old.js" noModule=""></script>`;
const BOOT = `<script>boot()</script><script src="/_next/b.js" async=""></script>`;

function page(frame: string): string {
  return `<html><head>${SCRIPTS}${HEAD}</head><body><div ${frame}></div>${BOOT}</body></html>`;
}

describe("deferScripts", () => {
  it("replaces the scripts of a public page by a loader of them", () => {
    const html = deferScripts(page('data-scripts-on-use="true"'));
    expect(html).not.toContain('async=""');
    expect(html).not.toContain("preload");
    expect(html).toContain('(["/_next/a.js","/_next/b.js"])</script></head>');
    expect(html).toContain("<script>theme()</script>");
    expect(html).toContain("<script>boot()</script></body>");
  });

  it("changes a page once", () => {
    const once = deferScripts(page('data-scripts-on-use="true"'));
    expect(deferScripts(once)).toBe(once);
  });

  it("leaves other pages as they are", () => {
    const form = page('class="form"').replace("boot()", 'boot("data-scripts-on-use")');
    expect(deferScripts(form)).toBe(form);
  });
});
