import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { PAGES } from "./pages";
import { isField, type KeyPress, readPress, SHORTCUTS, type Situation } from "./shortcuts";

const NOWHERE: Situation = {
  isApple: false,
  isTyping: false,
  isCovered: false,
  hasSingleKeys: true,
};
const FRESH = { begun: null, at: 5000 };
const PALETTE = { kind: "palette" };

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : "",
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    ...more,
  };
}

function commandOf(key: KeyPress, situation: Partial<Situation> = {}) {
  return readPress(key, { ...NOWHERE, ...situation }, FRESH).command;
}

/** What comes of two keys, so many milliseconds apart. */
function afterTwo(first: KeyPress, second: KeyPress, apartMs: number) {
  const { begun } = readPress(first, NOWHERE, FRESH);
  return readPress(second, NOWHERE, { begun, at: FRESH.at + apartMs });
}

describe("the palette's chord", () => {
  it("is Control and K, or Command and K on Apple's keyboards, and no other", () => {
    const control = press("k", { ctrlKey: true });
    const command = press("k", { metaKey: true });
    expect(commandOf(control)).toEqual(PALETTE);
    expect(commandOf(command, { isApple: true })).toEqual(PALETTE);
    expect(commandOf(control, { isApple: true })).toBeNull();
    expect(commandOf(command)).toBeNull();
    for (const more of [{ shiftKey: true }, { altKey: true }, { metaKey: true }]) {
      expect(commandOf(press("k", { ctrlKey: true, ...more })), JSON.stringify(more)).toBeNull();
    }
    expect(commandOf(press("k"))).toBeNull();
  });

  it("works in a field and with single keys switched off, but not above another dialog", () => {
    const chord = press("k", { ctrlKey: true });
    expect(commandOf(chord, { isTyping: true, hasSingleKeys: false })).toEqual(PALETTE);
    expect(commandOf(chord, { isCovered: true })).toBeNull();
  });

  it("is found by its place in another alphabet, and whatever Caps Lock says", () => {
    expect(commandOf(press("л", { code: "KeyK", ctrlKey: true }))).toEqual(PALETTE);
    expect(commandOf(press("K", { ctrlKey: true }))).toEqual(PALETTE);
    // On a Dvorak keyboard the key of K says t.
    expect(commandOf(press("t", { code: "KeyK", ctrlKey: true }))).toBeNull();
  });
});

describe("a single key", () => {
  it("shows the shortcuts or goes to the filter, as the keyboard makes its character", () => {
    expect(commandOf(press("?", { shiftKey: true, code: "Slash" }))).toEqual({ kind: "shortcuts" });
    expect(commandOf(press("/"))).toEqual({ kind: "filter" });
    expect(commandOf(press("/", { shiftKey: true, code: "Digit7" }))).toEqual({ kind: "filter" });
    expect(commandOf(press("x"))).toBeNull();
  });

  it("does nothing in a field, below a dialog, switched off, held down, composing or with a modifier", () => {
    const key = press("?", { shiftKey: true });
    for (const situation of [{ isTyping: true }, { isCovered: true }, { hasSingleKeys: false }]) {
      expect(commandOf(key, situation), JSON.stringify(situation)).toBeNull();
    }
    for (const more of [
      { ctrlKey: true },
      { metaKey: true },
      { altKey: true },
      { repeat: true },
      { isComposing: true },
    ]) {
      expect(commandOf({ ...key, ...more }), JSON.stringify(more)).toBeNull();
    }
  });
});

describe("two keys after each other", () => {
  it("go to each page of the console", () => {
    for (const { href, letter } of PAGES) {
      expect(afterTwo(press("g"), press(letter), 300).command).toEqual({ kind: "go", href });
    }
  });

  it("have a second for it", () => {
    expect(afterTwo(press("g"), press("k"), 1000).command).toEqual({ kind: "go", href: "/keys" });
    expect(afterTwo(press("g"), press("k"), 1001).command).toBeNull();
  });

  it("begin anew with a key that leads nowhere", () => {
    expect(afterTwo(press("g"), press("x"), 300)).toEqual({ command: null, begun: null });
    expect(afterTwo(press("g"), press("g"), 300).begun).toEqual({ key: "g", at: 5300 });
    expect(afterTwo(press("g"), press("/"), 300).command).toEqual({ kind: "filter" });
  });

  it("are no capitals but by Caps Lock", () => {
    expect(afterTwo(press("G"), press("K"), 300).command).toEqual({ kind: "go", href: "/keys" });
    expect(afterTwo(press("G", { shiftKey: true }), press("k"), 300).command).toBeNull();
  });

  it("are forgotten when a field takes the second", () => {
    const { begun } = readPress(press("g"), NOWHERE, FRESH);
    const typed = readPress(press("k"), { ...NOWHERE, isTyping: true }, { begun, at: 5300 });
    expect(typed).toEqual({ command: null, begun: null });
  });
});

describe("the list of shortcuts", () => {
  it("has each combination once, and no single key that begins two", () => {
    const all = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);
    const spelled = all.map(({ keys, isChord }) => `${isChord ? "mod " : ""}${keys.join(" ")}`);
    expect(new Set(spelled).size).toBe(spelled.length);
    for (const { keys } of all) {
      expect(keys.length === 1 || !spelled.includes(keys[0])).toBe(true);
    }
  });
});

describe("a field", () => {
  it("is where letters are text", () => {
    const { document } = parseHTML(`<main>
      <input id="a"><textarea id="b"></textarea><select id="c"></select>
      <div contenteditable><b id="d">x</b></div><div contenteditable="true" id="e"></div>
      <div role="textbox" id="f"></div>
      <div contenteditable="false"><b id="g">x</b></div><button id="h"></button><main id="i"></main>
    </main>`);
    const answers = [..."abcdefghi"].map((id) => {
      const element = document.getElementById(id);
      return element && isField(element);
    });
    expect(answers).toEqual([true, true, true, true, true, true, false, false, false]);
  });
});
