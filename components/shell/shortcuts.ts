import { PAGES } from "./pages";

export type Command =
  | { kind: "palette" }
  | { kind: "shortcuts" }
  | { kind: "filter" }
  | { kind: "go"; href: string };

export interface Shortcut {
  name: string;
  /** Pressed in sequence. */
  keys: readonly [string] | readonly [string, string];
  /** With Control, or Command on Apple keyboards. Works while typing and can't be turned off. */
  isChord?: true;
  command: Command;
}

/** All shortcuts, in the order of the help dialog. */
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
      { name: "Focus the list filter", keys: ["/"], command: { kind: "filter" } },
      { name: "Show keyboard shortcuts", keys: ["?"], command: { kind: "shortcuts" } },
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

const NEXT_KEY_MS = 1000;

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing"
>;

/** The state of the page when a key is pressed. */
export interface KeyContext {
  isApple: boolean;
  /** In a text field. */
  isTyping: boolean;
  /** A dialog is open. */
  isCovered: boolean;
  hasSingleKeys: boolean;
}

/** The first key of a two-key sequence, and when it was pressed. */
export interface PendingKey {
  key: string;
  at: number;
}

interface Outcome {
  command: Command | null;
  pending: PendingKey | null;
}

const NOTHING: Outcome = { command: null, pending: null };

/** The command of a key press, given the key pressed before it; `at` in milliseconds. */
export function readPress(
  press: KeyPress,
  context: KeyContext,
  when: { pending: PendingKey | null; at: number },
): Outcome {
  // Holding a key down must not toggle the palette repeatedly.
  if (press.isComposing || press.repeat || context.isCovered) {
    return NOTHING;
  }
  const key = characterOf(press);
  if (press.ctrlKey || press.metaKey || press.altKey) {
    const isChord = isWithModifier(press, context);
    return { command: isChord ? find([key], true) : null, pending: null };
  }
  return context.isTyping || !context.hasSingleKeys ? NOTHING : readKey(key, when);
}

function readKey(
  key: string,
  { pending, at }: { pending: PendingKey | null; at: number },
): Outcome {
  const isInTime = pending !== null && at - pending.at <= NEXT_KEY_MS;
  const command = (isInTime && find([pending.key, key])) || find([key]);
  const isFirstOfTwo = ALL.some(({ keys }) => keys.length === 2 && keys[0] === key);
  return { command, pending: !command && isFirstOfTwo ? { key, at } : null };
}

/** Whether only the platform's shortcut modifier is pressed. */
function isWithModifier(press: KeyPress, { isApple }: KeyContext): boolean {
  const { metaKey, ctrlKey, altKey, shiftKey } = press;
  const [expected, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return expected && !other && !altKey && !shiftKey;
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

/** The letter on the key, ignoring Caps Lock; on non-Latin layouts, the Latin letter at that position. */
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

export function isField(element: Pick<Element, "closest">): boolean {
  return element.closest(FIELDS) !== null;
}
