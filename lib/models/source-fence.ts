/** Stands in the prompt in place of sources when the search ran and found nothing. */
export const NO_SOURCES = "The search found no source for this question.";

/** A passage as the model sees it: its number, what names it, and its text. */
export interface FencedSource {
  number: number;
  title: string;
  text: string;
}

/**
 * Writes one numbered source between fences that carry a random nonce of this request. A source cannot
 * close its own fence, because it was written before the nonce was drawn.
 */
export function fenceSource(source: FencedSource, nonce: string): string {
  return [
    `<source id="${source.number}" nonce="${nonce}">`,
    `Title: ${oneLine(neutralise(source.title))}`,
    "",
    neutralise(source.text),
    `</source nonce="${nonce}">`,
  ].join("\n");
}

/** The sources a prompt holds, in their order: what `fenceSource` wrote. */
export function readFencedSources(prompt: string): FencedSource[] {
  const form =
    /<source id="(\d+)" nonce="([a-z0-9]+)">\nTitle: (.*)\n\n([\s\S]*?)\n<\/source nonce="\2">/g;
  return [...prompt.matchAll(form)].map(([, number, , title, text]) => ({
    number: Number(number),
    title: title ?? "",
    text: text ?? "",
  }));
}

/** Characters that nobody sees but that would keep a forged marker or fence from being recognised. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** A list of numbers of any script between brackets of any kind but the ordinary ( and {. */
const MARKER =
  /(?![({（｛])\p{Ps}\s*([\^#]?(?:source\s*)?\p{Nd}(?:[\p{Nd}\s,;:&–—-]|and)*(?:†[^\p{Ps}\p{Pe}]{0,100})?)\p{Pe}/giu;
const FENCE = /[<＜﹤‹〈\u2329⟨«](?=\s*(?:[/／⁄∕]\s*)?source\b)/giu;

/**
 * Takes from a source's text what could pass for a citation marker or a fence. Each pattern has one way
 * to match a run of characters, so that the time stays linear in the length of a hostile text.
 */
function neutralise(text: string): string {
  return text.replace(INVISIBLE, "").replace(MARKER, "($1)").replace(FENCE, "(");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
