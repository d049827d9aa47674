import { describe, expect, it } from "vitest";
import { toMathMl } from "./formula";

describe("toMathMl", () => {
  it("writes MathML", () => {
    expect(toMathMl("C_{cr} = \\frac{140 - a}{72}", true)).toMatch(
      /^<span class="katex"><math [^>]*display="block">.*<mfrac>.*<\/math><\/span>$/s,
    );
  });

  it.each([
    "\\href{javascript:alert(1)}{x}",
    "\\url{https://evil.example}",
    "\\includegraphics{https://evil.example/a.png}",
    "\\htmlStyle{position:fixed}{x}",
    "\\htmlClass{fixed}{x}",
    "\\text{<img src=x onerror=alert(1)>}",
    "\\text{<script>alert(1)</script>}",
  ])("writes nothing that loads or runs for %s", (text) => {
    const markup = toMathMl(text, false) ?? "";
    expect(markup).not.toMatch(/<(?:img|script|a|iframe)\b|<[^>]*\s(?:href|src|style|on\w+)=/i);
    expect(markup).not.toContain('class="fixed');
  });

  it("gives up on LaTeX that can't be read, or that expands without end", () => {
    expect(toMathMl("\\frac{1}{", false)).toBeNull();
    expect(toMathMl("\\def\\a{\\a\\a}\\a", false)).toBeNull();
  });
});
