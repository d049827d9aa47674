import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Node, parseAnswer, textsOf } from "./parse";

/** Prints nodes as `tag(…)`, with text, `code` and links as Markdown. */
function show(content: string, nodes = parseAnswer(content)): string {
  const one = (node: Node): string => {
    switch (node.kind) {
      case "text":
        return node.shown ?? content.slice(node.start, node.end);
      case "break":
        return "⏎";
      case "rule":
        return "---";
      case "code":
        return `\`${node.text}\``;
      case "math":
        return node.isDisplay ? `math[${node.text}]` : `math(${node.text})`;
      case "code-block":
        return `code[${node.language}](${node.text})`;
      case "link":
        return `link(${node.text}|${node.address})`;
      case "heading":
        return `h${node.depth}(${node.children.map(one).join("")})`;
      case "element":
        return `${node.tag}${node.first ?? ""}${node.align ?? ""}${done(node.isDone)}(${node.children.map(one).join("")})`;
    }
  };
  const done = (isDone?: boolean) => (isDone === undefined ? "" : isDone ? "✓" : "☐");
  return nodes?.map(one).join("") ?? "as written";
}

describe("parsing Markdown", () => {
  it.each([
    ["Plain [1].\nStill [2].\n\nNext.", "p(Plain [1].\nStill [2].)p(Next.)"],
    [
      "**Bold [1]** and *it* and ~~gone~~ ***both***",
      "p(strong(Bold [1]) and em(it) and s(gone) em(strong(both)))",
    ],
    ["- one [1]\n- two\n  - three [2]", "ul(li(one [1])li(twoul(li(three [2]))))"],
    ["- [x] done [1]\n- [ ] open\n- plain", "ul(li✓(done [1])li☐(open)li(plain))"],
    ["1. [X] **first** of two", "ol(li✓(strong(first) of two))"],
    ["- [ ] loose [1]\n\n- [x] list", "ul(li☐(p(loose [1]))li✓(p(list)))"],
    ["- [x]\n- [1] said\n- so [x] it is", "ul(li([x])li([1] said)li(so [x] it is))"],
    ["-\n\n[x] no item", "ul(li())p([x] no item)"],
    ["3. three\n4. four [1]", "ol3(li(three)li(four [1]))"],
    ["1. 1\n2. 2 mg [2]", "ol(li(1)li(2 mg [2]))"],
    ["- loose\n\n- list", "ul(li(p(loose))li(p(list)))"],
    ["> said [1]\n> so", "blockquote(p(said [1]\nso))"],
    ["### A\n# B\n## C", "h1(A)h1(B)h2(C)"],
    ["Title\n=====\n\nText", "h1(Title)p(Text)"],
    ["a `[1] x` b [2]", "p(a `[1] x` b [2])"],
    ["``a ` b``", "p(`a ` b`)"],
    ["```python\nx[1]\n```\nAfter [1]", "code[python](x[1])p(After [1])"],
    [
      "| a | b |\n|---|--:|\n| c [1] | d |",
      "table(thead(tr(th(a)thright(b)))tbody(tr(td(c [1])tdright(d))))",
    ],
    ["hard  \nbreak\\\nagain", "p(hard⏎break⏎again)"],
    ["\\* &amp; &lt; \\[1\\]", "p(* & < [1])"],
    ["---\n\nx", "---p(x)"],
    ["Is $x^2$ [1] or \\(a = b\\)?", "p(Is math(x^2) [1] or math(a = b)?)"],
    ["$$\nC_{cr} =\n\\frac{1}{2}\n$$\nAfter [1]", "math[C_{cr} =\n\\frac{1}{2}]p(After [1])"],
    ["\\[ E = mc^2 \\]\n\nx", "math[E = mc^2]p(x)"],
    ["- $$y = 1$$\n- b", "ul(li(math[y = 1])li(b))"],
    ["It costs $5 and $10, or US$4/mL (AU$6/mL).", "p(It costs $5 and $10, or US$4/mL (AU$6/mL).)"],
    ["$$\nunfinished = 1", "p($$\nunfinished = 1)"],
    ["\\[see page 3\\] \\(or 4\\)", "p([see page 3] (or 4))"],
    ["a\r\nb\rc [1]", "p(a\nb\rc [1])"],
  ])("%j reads as %s", (content, shown) => {
    expect(show(content)).toBe(shown);
  });

  it.each([
    ["[site](https://a.example/x?y=1)", "p(link(site|https://a.example/x?y=1))"],
    ["<https://a.example>", "p(link(|https://a.example))"],
    ["[w](https://en.example/Foo_(bar)) [1]", "p(link(w|https://en.example/Foo_(bar)) [1])"],
    ["![x](https://a.example/p.png?d=secret)", "p(link(x|https://a.example/p.png?d=secret))"],
    ["[x](javascript:alert(1))", "p([x](javascript:alert(1)))"],
    ["[x](data:text/html,hi)", "p([x](data:text/html,hi))"],
    ["[x](/keys) [y](//a.example) <ftp://a>", "p([x](/keys) [y](//a.example) <ftp://a>)"],
    ["[1]: https://a.example\n\nText [1]", "p([1]: https://a.example)p(Text [1])"],
    ["<img src=x onerror=alert(1)>", "p(<img src=x onerror=alert(1)>)"],
    ["<script>\nalert(1)\n</script>", "p(<script>\nalert(1)\n</script>)"],
    ["[x](https://[bad)", "p([x](https://[bad))"],
  ])("%j loads nothing and hides no address", (content, shown) => {
    expect(show(content)).toBe(shown);
  });

  it("returns null when a source range is uncertain", () => {
    expect(parseAnswer("| a |\n|---|\n| b | left out |")).toBeNull();
    expect(parseAnswer(`${"> ".repeat(150)}deep`)).toBeNull();
  });

  it("keeps every word at its source range, for any mix of Markdown syntax", () => {
    const token = fc.constantFrom(
      ..."word [1] [2] ** * _ ` ``` ~~ # ## > - 1. 2) | |--- \\ & &amp; ! [ ]( ) <a> 🫀".split(" "),
      "\n",
      "\n\n",
      "  ",
      "    ",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const content = tokens.join(" ");
        const nodes = parseAnswer(content);
        const texts = textsOf(nodes ?? []);
        const inOrder = texts.every(({ start }, at) => start >= (texts[at - 1]?.end ?? 0));
        expect(inOrder).toBe(true);
        const seen =
          nodes === null
            ? content
            : texts.map(({ start, end }) => content.slice(start, end)).join(" ");
        // Text outside code and links is shown in full.
        const words = (text: string) => text.split("word").length;
        if (!/[`(]| {4}|\t/.test(content)) {
          expect(words(seen)).toBe(words(content));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("runs in time linear in the text's length", () => {
    for (const piece of ["[", "[a](", "**", "`", "> ", "![", "[x](https://a.example/(", "- "]) {
      const content = piece.repeat(20_000);
      expect(show(content, null)).toBe("as written");
      parseAnswer(content);
    }
  });
});
