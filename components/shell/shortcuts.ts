import { PAGES } from "./pages";

/** What a shortcut does. */
export type Command =
  | { kind: "palette" }
  | { kind: "shortcuts" }
  | { kind: "filter" }
  | { kind: "go"; href: string };

export interface Shortcut {
  name: string;
  /** Pressed one after the other. */
  keys: readonly [string] | readonly [string, string];
  /** With Control, or Command on Apple's keyboards: works while typing too, and cannot be switched off. */
  isChord?: true;
  command: Command;
}

/** All of them, in the order of the help: what is listed here is what works. */
export const SHORTCUTS: readonly { group: string; shortcuts: readonly Shortcut[] }[] = [
  {
    group: "Anywhere",
    shortcuts: [
      {
        name: "Search or jump to",
        keys: ["k"],
        isChord: true,
        command: { kind: "palette" },
      },
      { name: "Go to the filter of a list", keys: ["/"], command: { kind: "filter" } },
      { name: "Show these shortcuts", keys: ["?"], command: { kind: "shortcuts" } },
    ],
  },
  {
    group: "Go to",
    shortcuts: PAGES.map(({ name, href, letter }) => ({
      name,
      keys: ["g", letter] as const,
      command: { kind: "go" as const, href },
    })),
  },
];

const ALL = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);

/** How long the second key of a shortcut may take. */
const NEXT_KEY_MS = 1000;

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing"
>;

/** Where a key is pressed. */
export interface Situation {
  isApple: boolean;
  /** In a field, where letters are text. */
  isTyping: boolean;
  /** A dialog stands above the page. */
  isCovered: boolean;
  hasSingleKeys: boolean;
}

/** The first key of a shortcut that has two, and when it was pressed. */
export interface Begun {
  key: string;
  at: number;
}

interface Outcome {
  command: Command | null;
  begun: Begun | null;
}

const NOTHING: Outcome = { command: null, begun: null };

/** What a key means where it is pressed, after what was begun before; `at` in milliseconds. */
export function readPress(
  press: KeyPress,
  situation: Situation,
  when: { begun: Begun | null; at: number },
): Outcome {
  // A key that is held down would open and close the palette again and again.
  if (press.isComposing || press.repeat || situation.isCovered) {
    return NOTHING;
  }
  const key = characterOf(press);
  if (press.ctrlKey || press.metaKey || press.altKey) {
    const isChord = isWithModifier(press, situation);
    return { command: isChord ? find([key], true) : null, begun: null };
  }
  return situation.isTyping || !situation.hasSingleKeys ? NOTHING : readKey(key, when);
}

function readKey(key: string, { begun, at }: { begun: Begun | null; at: number }): Outcome {
  const isInTime = begun !== null && at - begun.at <= NEXT_KEY_MS;
  const command = (isInTime && find([begun.key, key])) || find([key]);
  return { command, begun: !command && isFirstOfTwo(key) ? { key, at } : null };
}

/** The one modifier that this platform's own shortcuts have, and no other. */
function isWithModifier(press: KeyPress, { isApple }: Situation): boolean {
  const { metaKey, ctrlKey, altKey, shiftKey } = press;
  const [asked, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return asked && !other && !altKey && !shiftKey;
}

function find(keys: readonly string[], isChord = false): Command | null {
  const found = ALL.find(
    (shortcut) =>
      Boolean(shortcut.isChord) === isChord &&
      shortcut.keys.length === keys.length &&
      shortcut.keys.every((key, index) => key === keys[index]),
  );
  return found?.command ?? null;
}

function isFirstOfTwo(key: string): boolean {
  return ALL.some(({ keys }) => keys.length === 2 && keys[0] === key);
}

/** The letter as it stands on the key, whatever the Caps Lock says; in another alphabet, the key's Latin one. */
function characterOf({ key, code, shiftKey }: KeyPress): string {
  const isLatin = /^[\u0020-\u007e]$/.test(key);
  const letter = isLatin ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key);
  if (!/^[a-z]$/i.test(letter)) {
    return key;
  }
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

const FIELDS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/** Whether letters typed there are the field's own. */
export function isField(element: Pick<Element, "closest">): boolean {
  return element.closest(FIELDS) !== null;
}
