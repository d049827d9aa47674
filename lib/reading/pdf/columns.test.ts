import { describe, expect, it } from "vitest";
import { regionsOf } from "./columns";
import type { Box, Word } from "./geometry";

/** Words side by side, each letter half an em wide, in the order given. */
function wordsOf(lines: readonly { text: string; x: number; y: number }[]): Word[] {
  const size = 10;
  return lines
    .flatMap(({ text, x, y }) => {
      let left = x;
      return text.split(" ").map((word) => {
        const place = { x0: left, x1: left + word.length * 5, base: y, y0: y - 7.5, y1: y + 2.2 };
        left = place.x1 + 3;
        return { text: word, ...place, size, isBold: false, isHidden: false };
      });
    })
    .map((word, order) => ({ ...word, order }));
}

function textsOf(words: readonly Word[]): string[] {
  return regionsOf(words).map((region) => region.map(({ text }) => text).join(" "));
}

const prose = (name: string, line: number) => `${name}${line} has words enough to be prose`;
const column = (name: string, x: number, top = 0) =>
  Array.from({ length: 6 }, (_, at) => ({ text: prose(name, at), x, y: top + 100 + at * 12 }));
const whole = (name: string) => Array.from({ length: 6 }, (_, at) => prose(name, at)).join(" ");

describe("regionsOf", () => {
  it("reads three columns one after the other", () => {
    const words = wordsOf([...column("a", 50), ...column("b", 230), ...column("c", 410)]);
    expect(textsOf(words)).toEqual([whole("a"), whole("b"), whole("c")]);
  });

  it("reads boxes of words side by side one after the other, unlike check boxes with their labels", () => {
    const box = (x: number, lines: readonly string[]) =>
      lines.map((text, at) => ({ text, x, y: 100 + at * 13 }));
    const allergies = ["Allergies", "Penicillin: anaphylaxis", "Codeine: none known"];
    const plan = ["Plan", "No beta-lactams except", "meropenem", "Repeat lactate"];
    expect(textsOf(wordsOf([...box(50, allergies), ...box(230, plan)]))).toEqual([
      allergies.join(" "),
      plan.join(" "),
    ]);
    const form = wordsOf([...box(50, ["☐", "☑", "☐"]), ...box(90, allergies)]);
    expect(textsOf(form)).toHaveLength(1);
  });

  it("reads columns whose lines aren't level, and begins anew below a line across them", () => {
    const words = wordsOf([
      { text: "This line reaches from the left column far into the right one", x: 50, y: 80 },
      ...column("a", 50),
      ...column("b", 230, 5),
      { text: "Another line across both of them that ends what stands above", x: 50, y: 200 },
      ...column("c", 50, 120),
      ...column("d", 230, 125),
    ]);
    const texts = textsOf(words);
    expect(texts.map((text) => text.split(" ")[0])).toEqual([
      "This",
      "a0",
      "b0",
      "Another",
      "c0",
      "d0",
    ]);
  });

  it("keeps a large title whole whose space is over the gutter and as wide", () => {
    const [first, second] = wordsOf([{ text: "Prescribing Information", x: 60, y: 94 }]);
    const large = { base: 94, size: 24, y0: 76, y1: 99 };
    const title = [
      { ...first, ...large, x0: 60, x1: 208 },
      { ...second, ...large, x0: 215, x1: 360 },
    ] as Word[];
    const words = [...title, ...wordsOf([...column("a", 50, 12), ...column("b", 230, 12)])];
    const texts = textsOf(words.map((word, order) => ({ ...word, order })));
    expect(texts).toEqual(["Prescribing Information", whole("a"), whole("b")]);
  });

  it("reads the right column first where letters run from right to left", () => {
    const hebrew = (line: number) => `שורה${line} של טקסט ארוך דיו להיות פרוזה`;
    const lines = (x: number, from: number) =>
      Array.from({ length: 5 }, (_, at) => ({ text: hebrew(from + at), x, y: 100 + at * 12 }));
    const words = wordsOf([...lines(50, 5), ...lines(300, 0)]);
    expect(regionsOf(words)[0]?.[0]?.x0).toBeGreaterThan(290);
  });

  it("leaves a table whole, whose cells the file has row by row", () => {
    const rows = Array.from({ length: 6 }, (_, at) => [
      { text: `Name ${at}`, x: 50, y: 100 + at * 12 },
      { text: `${at}.5`, x: 230, y: 100 + at * 12 },
      { text: `${at} mg`, x: 410, y: 100 + at * 12 },
    ]);
    expect(regionsOf(wordsOf(rows.flat()))).toHaveLength(1);
  });

  it("reads ragged columns one after the other although the file has them line by line", () => {
    const lines = [
      ["Warfarin is started with a small", "Bleeding is the harm that matters"],
      ["dose that follows from the age", "most, and it is likelier in those"],
      ["and weight of", "who take other drugs"],
      ["the patient, and is", "or drink, or have had a bleed"],
      ["changed by the laboratory.", "before they were treated."],
    ];
    const placed = lines.flatMap(([left = "", right = ""], at) => [
      { text: left, x: 50, y: 100 + at * 12 },
      { text: right, x: 260, y: 100 + at * 12 },
    ]);
    expect(textsOf(wordsOf(placed))).toEqual(
      [0, 1].map((side) => lines.map((line) => line[side]).join(" ")),
    );
  });

  it("reads justified columns one after the other although the file has them line by line", () => {
    // The words of most lines are further apart than a narrow gutter is wide.
    const spread = (name: string, x: number, line: number) =>
      [`${name}${line}`, "has some words", "set wide apart"].map((text, at) => ({
        ...{ text, x: x + at * (line % 4 ? 56 : 48), y: 100 + line * 12 },
      }));
    const lines = Array.from({ length: 12 }, (_, at) => at);
    const placed = lines.flatMap((line) =>
      [50, 262].flatMap((x) => spread(x < 99 ? "a" : "b", x, line)),
    );
    expect(textsOf(wordsOf(placed))).toEqual(
      ["a", "b"].map((name) =>
        lines.map((at) => `${name}${at} has some words set wide apart`).join(" "),
      ),
    );
  });

  it("leaves rows whole whose cells have several lines and begin level", () => {
    const cell = (name: string, line: number) =>
      line === 0 ? `Drug ${name} is given with` : `food and never at night ${name}`;
    const placed = ["a", "b", "c", "d"].flatMap((name, row) =>
      [50, 260].flatMap((x) =>
        [0, 1].map((line) => ({ text: cell(name, line), x, y: 100 + row * 34 + line * 12 })),
      ),
    );
    expect(regionsOf(wordsOf(placed))).toHaveLength(1);
  });

  it("reads authors above two columns one after the other, each with their centered lines", () => {
    const authors = [
      ["Ann Example", "Institute of Texts", "Oslo", "ann@a.example"],
      ["Benjamin Longer", "University of Far Away", "Berlin", "ben@b.example"],
      ["Cy Short", "Lab", "Rome in Italy", "cy@c.example"],
    ];
    const centered = (name: string[], middle: number, top: number) =>
      name.map((text, at) => ({ text, x: middle - text.length * 2.5, y: top + at * 12 }));
    const block = (at: number, middle: number, top: number) =>
      centered(authors[at] ?? [], middle, top);
    const words = wordsOf([
      { text: "A title that is set across both columns of the page", x: 90, y: 20 },
      ...[block(0, 90, 40), block(1, 220, 40), block(2, 350, 40)].flat(),
      ...[block(2, 150, 104), block(0, 290, 104)].flat(),
      ...column("a", 50, 80),
      ...column("b", 250, 80),
    ]);
    const texts = textsOf(words).join(" ");
    const order = [0, 1, 2, 2, 0].map((at) => (authors[at] ?? []).join(" "));
    expect(texts).toContain(`of the page ${order.join(" ")} ${whole("a")} ${whole("b")}`);
  });

  it("reads two rows of authors row by row if the file does, and down the columns otherwise", () => {
    const names = ["Ann", "Bo", "Christina", "Dee", "Edward", "Fay"];
    const block = (name: string, column: number, row: number) =>
      [name, "Institute of Texts", `Town of ${name}`, `${name}@place.example`].map(
        (text, line) => ({
          ...{ text, x: 120 + column * 150 - text.length * 2.5 },
          y: 40 + row * 58 + line * 12,
        }),
      );
    const below = [...column("a", 50, 70), ...column("b", 330, 70)];
    const byRow = names.flatMap((name, at) => block(name, at % 3, Math.floor(at / 3)));
    const byColumn = names.flatMap((name, at) => block(name, Math.floor(at / 2), at % 2));
    for (const authors of [byRow, byColumn]) {
      const order = authors.map(({ text }) => text).join(" ");
      const texts = textsOf(wordsOf([...authors, ...below])).join(" ");
      expect(texts).toBe(`${order} ${whole("a")} ${whole("b")}`);
    }
  });

  it("leaves a table of centered cells whole, whose rows the file has one after the other", () => {
    const rows = [
      ["Name", "Place"],
      ["Ann Example", "Oslo"],
      ["Cy", "Rome in Italy"],
      ["Benjamin", "Berlin"],
    ].flatMap((row, at) =>
      row.map((text, side) => ({
        ...{ text, x: 120 + side * 150 - text.length * 2.5, y: 100 + at * 12 },
      })),
    );
    expect(regionsOf(wordsOf(rows))).toHaveLength(1);
  });

  it("doesn't cut a table across both columns, whose gap lies over theirs", () => {
    const rows = Array.from({ length: 4 }, (_, at) =>
      [`Model ${at}`, `${at}1.5`, `${at}2.5`, `${at}3.5`].map((text, column) => ({
        text,
        x: 60 + column * 90,
        y: 190 + at * 12,
      })),
    );
    const words = wordsOf([
      ...column("a", 50),
      ...column("b", 230),
      ...rows.flat(),
      ...column("c", 50, 160),
      ...column("d", 230, 160),
    ]);
    const texts = textsOf(words);
    expect(texts.map((text) => text.split(" ")[0])).toEqual(["a0", "b0", "Model", "c0", "d0"]);
  });

  it("begins anew below a rule across the columns", () => {
    const words = wordsOf([
      ...column("a", 50),
      ...column("b", 230),
      ...column("c", 50, 76),
      ...column("d", 230, 76),
    ]);
    const rule = { x0: 50, x1: 400, y0: 165.5, y1: 166 };
    const firsts = (rules: Box[]) => regionsOf(words, rules).map(([first]) => first?.text);
    expect(firsts([rule])).toEqual(["a0", "b0", "c0", "d0"]);
    expect(firsts([])).toEqual(["a0", "b0"]);
  });

  it("takes no spaces for a gutter that happen to lie one below the other in justified lines", () => {
    const placed = Array.from({ length: 9 }, (_, at) => [
      { text: "this line of prose has words", x: 50, y: 100 + at * 12 },
      { text: "and runs on to the end", x: at === 3 || at === 4 ? 189 : 184, y: 100 + at * 12 },
    ]);
    expect(regionsOf(wordsOf(placed.flat()))).toHaveLength(1);
  });

  it("takes no line of prose with dates for one of a table, which would end the columns", () => {
    const dates = ["1971", "1973", "1978", "1982", "2001"];
    const dated = dates.map((text, at) => ({ text, x: 50 + at * 31, y: 136 }));
    const words = wordsOf([
      ...column("a", 50).filter(({ y }) => y !== 136),
      ...dated,
      ...column("b", 230).map((line) => (line.y === 136 ? { ...line, text: "47 FR" } : line)),
    ]);
    expect(textsOf(words)).toHaveLength(2);
  });

  it("takes no rows of figures for prose, and a recognized table's columns for no evidence", () => {
    const rows = Array.from({ length: 8 }, (_, at) => [
      { text: `Clinic number ${at} of the town`, x: 50, y: 100 + at * 12 },
      { text: `7315${at} (405) 680-370${at} 2014/09/1${at}`, x: 260, y: 100 + at * 12 },
    ]);
    const byColumn = wordsOf([0, 1].flatMap((side) => rows.flatMap((row) => row[side] ?? [])));
    expect(regionsOf(byColumn, [], false)).toHaveLength(1);
    expect(regionsOf(byColumn)).toHaveLength(1);
  });

  it("reads a margin's lines apart from the text, whose lines stand at other heights and reach further below it", () => {
    const note = Array.from({ length: 5 }, (_, at) => ({
      text: `note${at} in the margin`,
      x: 290,
      y: 98 + at * 17,
    }));
    const text = Array.from({ length: 16 }, (_, at) => ({
      text: `${prose("a", at)}${at > 9 ? " for longer" : ""}`,
      x: 50,
      // A pause between paragraphs, into which a line of the margin falls.
      y: 100 + at * 11 + (at > 4 ? 9 : 0),
    }));
    expect(textsOf(wordsOf([...text, ...note]))).toEqual(
      [text, note].map((lines) => lines.map((line) => line.text).join(" ")),
    );
  });

  it("takes no short column for a header that begins with the page", () => {
    const words = wordsOf([...column("a", 50), ...column("b", 230).slice(0, 3)]);
    expect(textsOf(words)).toEqual([whole("a"), whole("b").split(" b3")[0]]);
  });

  it("takes no end of a paragraph beside the labels of a figure for a table's row", () => {
    const end = { text: "The last words of it.", x: 50, y: 172 };
    const labels = ["1", "2", "4", "8"].map((text, at) => ({ text, x: 240 + at * 30, y: 172 }));
    const words = wordsOf([
      ...column("a", 50),
      end,
      ...column("c", 50, 84),
      ...labels,
      ...column("b", 230, 84),
    ]);
    expect(textsOf(words)[0]).toBe(`${whole("a")} ${end.text} ${whole("c")}`);
  });

  it("keeps the order of the file on a page with too much on it", () => {
    const words = wordsOf(
      Array.from({ length: 4000 }, (_, at) => ({
        text: "x",
        x: (at % 40) * 20,
        y: Math.floor(at / 40) * 12,
      })),
    );
    expect(regionsOf(words)).toEqual([words]);
  });
});
