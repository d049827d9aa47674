/** A source in a prompt, with its header. */
interface ShownSource {
  number: number;
  body: string;
}

const NONCE = /^Sources, with the nonce (\d{9}):$/m;

/**
 * Reads a message by the rules of the prompt: text between fences with its nonce is a source. Returns the sources and
 * the rest of the message without them and their fences. Throws if a fence isn't closed.
 */
export function readStrictly(prompt: string): { outside: string; sources: ShownSource[] } {
  const nonce = NONCE.exec(prompt)?.[1];
  const sources: ShownSource[] = [];
  let outside = "";
  let at = 0;
  for (;;) {
    const opening = nonce ? / id="(\d+)" nonce="(\d+)">\n/y : null;
    const start = opening ? prompt.indexOf("\n<source", at) : -1;
    if (!opening || start < 0) {
      return { outside: outside + prompt.slice(at), sources };
    }
    opening.lastIndex = start + "\n<source".length;
    const [header = "", number, found] = opening.exec(prompt) ?? [];
    const from = start + "\n<source".length + header.length;
    const closing = `\n</source nonce="${nonce}">`;
    const end = prompt.indexOf(closing, from);
    if (found !== nonce || end < 0) {
      throw new Error("A line starts like a fence but isn't one of this message's.");
    }
    sources.push({ number: Number(number), body: prompt.slice(from, end) });
    outside += prompt.slice(at, start);
    at = end + closing.length;
  }
}

/** What a lenient reader could mistake a text for. */
const LURES: Record<string, RegExp> = {
  fence:
    /<\s*[/\\|]?\s*s\s*o\s*u\s*r\s*c\s*e|<\s*[/\\]?\s*nonce|[‹«《⟨〈❮ᐸ]\s*(?:[/\\|]\s*source|source\s*(?:id|nonce|\d|=))/,
  marker:
    /[[【〔⟦⁅〖❲]\s*\\?[\s^#*_~`]*(?:(?:source|quelle|fuente|ref|doc|来源|來源|出典|출처|источник)s?\.?\s*[:#]?\s*)?\p{N}{1,3}(?!\.\p{N})[\s*_~`\\]*(?:(?:[,;:&–-]|and)[\s*_~`\\]*\p{N}{1,3}[\s*_~`\\]*)*(?:†[^\][]{0,40})?[\]】〕⟧⁆〗❳]/u,
  turn: /<\|[\w▁ -]{1,40}\|>|\[\/?inst\]|<<sys>>|<\/?(?:start|end)_of_turn>|<\/?s>|\[\/?system_prompt\]|<\/?(?:system|user|assistant|tool_call|instructions|document)(?:\s[^<>]{0,60})?>/,
  content:
    /!\[|<(?:img|iframe|script|svg|object|embed|form|video|a\s+href)\b|\]\([ \t]*\n?[ \t]*<?(?:https?:|\/\/|data:|javascript:)|\]:[ \t]*\n?[ \t]*<?(?:https?:|data:|javascript:)|<(?:https?|data|javascript):|<!--|<!\[cdata/,
};

/** Lists what lenient readings of a text find; empty if nothing can be mistaken. */
export function readLeniently(text: string): string[] {
  const plain = text.toLowerCase();
  const readings = [plain, loosely(text), loosely(loosely(text))];
  return Object.entries(LURES).flatMap(([lure, pattern]) =>
    // Escaped images and links aren't rendered.
    (lure === "content" ? [plain] : readings).flatMap((reading) => {
      const found = pattern.exec(reading)?.[0];
      return found === undefined ? [] : [`${lure}: ${found}`];
    }),
  );
}

const ENTITIES: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  sol: "/",
  lsqb: "[",
  lbrack: "[",
  rsqb: "]",
  rbrack: "]",
  quot: '"',
};
const CYRILLIC = new Map([..."аеорсухѕіԁ"].map((twin, at) => [twin, "aeopcyxsid".charAt(at)]));

/** Decodes entities and escapes, maps lookalike letters and removes invisible characters. */
function loosely(text: string): string {
  const point = (digits: string, base: number) => {
    const code = Number.parseInt(digits, base);
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "";
  };
  return text
    .replace(/&#x([\da-f]{1,8});?/gi, (_, digits) => point(digits, 16))
    .replace(/&#(\d{1,8});?/g, (_, digits) => point(digits, 10))
    .replace(/&([a-z]{2,6});?/gi, (all, name) => ENTITIES[name.toLowerCase()] ?? all)
    .replace(/(?:%|\\x|\\u00)([\da-f]{2})/gi, (_, digits) => point(digits, 16))
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => CYRILLIC.get(letter) ?? letter);
}
