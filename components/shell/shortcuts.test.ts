import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { PAGES } from "./pages";
import { isField, type KeyContext, type KeyPress, readPress, SHORTCUTS } from "./shortcuts";

const NOWHERE: KeyContext = {
  isApple: false,
  isTyping: false,
  isCovered: false,
  hasSingleKeys: true,
};
const FRESH = { pending: null, at: 5000 };
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

function commandOf(key: KeyPress, context: Partial<KeyContext> = {}) {
  return readPress(key, { ...NOWHERE, ...context }, FRESH).command;
}

/** The outcome of two keys pressed this many milliseconds apart. */
function afterTwo(first: KeyPress, second: KeyPress, apartMs: number) {
  const { pending } = readPress(first, NOWHERE, FRESH);
  return readPress(second, NOWHERE, { pending, at: FRESH.at + apartMs });
}

describe("the palette's chord", () => {
  it("is Control+K, or Command+K on Apple keyboards", () => {
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

  it("works in a field and with single keys turned off, but not while a dialog is open", () => {
    const chord = press("k", { ctrlKey: true });
    expect(commandOf(chord, { isTyping: true, hasSingleKeys: false })).toEqual(PALETTE);
    expect(commandOf(chord, { isCovered: true })).toBeNull();
  });

  it("works on non-Latin layouts and with Caps Lock", () => {
    expect(commandOf(press("л", { code: "KeyK", ctrlKey: true }))).toEqual(PALETTE);
    expect(commandOf(press("K", { ctrlKey: true }))).toEqual(PALETTE);
    // On a Dvorak keyboard, that key types t.
    expect(commandOf(press("t", { code: "KeyK", ctrlKey: true }))).toBeNull();
  });
});

describe("a single key", () => {
  it("opens the shortcuts or the filter by the character typed", () => {
    expect(commandOf(press("?", { shiftKey: true, code: "Slash" }))).toEqual({ kind: "shortcuts" });
    expect(commandOf(press("/"))).toEqual({ kind: "filter" });
    expect(commandOf(press("/", { shiftKey: true, code: "Digit7" }))).toEqual({ kind: "filter" });
    expect(commandOf(press("x"))).toBeNull();
  });

  it("does nothing in a field, behind a dialog, turned off, held down, composing or with a modifier", () => {
    const key = press("?", { shiftKey: true });
    for (const context of [{ isTyping: true }, { isCovered: true }, { hasSingleKeys: false }]) {
      expect(commandOf(key, context), JSON.stringify(context)).toBeNull();
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

describe("a two-key sequence", () => {
  it("opens each page of the console", () => {
    for (const { href, letter } of PAGES) {
      expect(afterTwo(press("g"), press(letter), 300).command).toEqual({ kind: "go", href });
    }
  });

  it("times out after a second", () => {
    expect(afterTwo(press("g"), press("k"), 1000).command).toEqual({ kind: "go", href: "/keys" });
    expect(afterTwo(press("g"), press("k"), 1001).command).toBeNull();
  });

  it("start over after an unknown key", () => {
    expect(afterTwo(press("g"), press("x"), 300)).toEqual({ command: null, pending: null });
    expect(afterTwo(press("g"), press("g"), 300).pending).toEqual({ key: "g", at: 5300 });
    expect(afterTwo(press("g"), press("/"), 300).command).toEqual({ kind: "filter" });
  });

  it("ignore capitals unless typed with Caps Lock", () => {
    expect(afterTwo(press("G"), press("K"), 300).command).toEqual({ kind: "go", href: "/keys" });
    expect(afterTwo(press("G", { shiftKey: true }), press("k"), 300).command).toBeNull();
  });

  it("are dropped when the second key goes to a field", () => {
    const { pending } = readPress(press("g"), NOWHERE, FRESH);
    const typed = readPress(press("k"), { ...NOWHERE, isTyping: true }, { pending, at: 5300 });
    expect(typed).toEqual({ command: null, pending: null });
  });
});

describe("the list of shortcuts", () => {
  it("has no duplicates, and no single key that starts a sequence", () => {
    const all = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);
    const spelled = all.map(({ keys, isChord }) => `${isChord ? "mod " : ""}${keys.join(" ")}`);
    expect(new Set(spelled).size).toBe(spelled.length);
    for (const { keys } of all) {
      expect(keys.length === 1 || !spelled.includes(keys[0])).toBe(true);
    }
  });
});

describe("a field", () => {
  it("is any element that accepts text", () => {
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
