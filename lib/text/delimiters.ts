import { escapeDelimiters } from "./escape-delimiters";

/** Replaces the sources in the prompt when the search found nothing. */
export const NO_SOURCES = "The search found no source for this question.";

/** A passage as the model sees it. */
export interface DelimitedSource {
  number: number;
  title: string;
  text: string;
}

/** Before the title of a source whose document was retracted. */
export const RETRACTED_LABEL = "Retracted: ";

const TITLE = "Title: ";
const TITLE_END = "\n\n";

/**
 * Wraps a numbered source in delimiters with the prompt's nonce. A source can't close its own
 * delimiter: its author can't guess the nonce, and anything resembling a delimiter is escaped in the
 * title, in the text and where they meet.
 */
export function delimitSource(source: DelimitedSource, nonce: string): string {
  return wrapEscaped(escapeSource(source), nonce);
}

/** Escapes a source's title, on one line, and its text, as a model reads them. `sourceCount`: of the whole prompt. */
export function escapeSource(
  { number, title, text }: DelimitedSource,
  sourceCount?: number,
): DelimitedSource {
  const escaped = escapeDelimiters(`${TITLE}${oneLine(title)}${TITLE_END}${text}`, sourceCount);
  const end = escaped.indexOf(TITLE_END);
  return {
    number,
    title: escaped.slice(TITLE.length, end),
    text: escaped.slice(end + TITLE_END.length),
  };
}

/** Wraps a source that `escapeSource` returned. */
export function wrapEscaped({ number, title, text }: DelimitedSource, nonce: string): string {
  return [
    `<source id="${number}" nonce="${nonce}">`,
    `${TITLE}${title}${TITLE_END}${text}`,
    `</source nonce="${nonce}">`,
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
