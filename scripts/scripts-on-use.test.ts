import { describe, expect, it } from "vitest";
import { deferScripts } from "./scripts-on-use.mjs";

const HEAD = `<link rel="preload" as="script" fetchPriority="low" href="/_next/b.js"/><script>theme()</script>`;
const DATA = `<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"a"])</script>`;
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

  it("moves the page's data in front of its scripts, when it can be stored", () => {
    const html = page('data-scripts-on-use="true"').replace("</body>", `${DATA}</body>`);
    expect(deferScripts(html)).toContain(`${DATA}</body>`);
    const stored: string[] = [];
    const deferred = deferScripts(html, (script: string) => `/data/${stored.push(script)}.js`);
    expect(stored).toEqual([
      '(self.__next_f=self.__next_f||[]).push([0]);\nself.__next_f.push([1,"a"])',
    ]);
    expect(deferred).not.toContain("__next_f");
    expect(deferred).toContain('(["/data/1.js","/_next/a.js","/_next/b.js"])</script></head>');
  });

  it("gives the loader the nonce of a page that was rendered on request", () => {
    const html = page('data-scripts-on-use="true"')
      .replace('a.js" async=""', 'a.js" async="" nonce="r4nd0m=="')
      .replace('b.js" async=""', 'b.js" nonce="r4nd0m==" async=""');
    const deferred = deferScripts(html);
    expect(deferred).not.toContain('async=""');
    expect(deferred).toMatch(/<script nonce="r4nd0m==">\(function loadOnUse/);
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
