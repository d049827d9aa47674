import { isNotCitation } from "./disambiguate";
import labels from "./labels.json" with { type: "json" };
import { Lookahead } from "./lookahead";
import { CLOSERS, parseMarker } from "./parse-marker";
import { canStand } from "./place";

/** What the beginning of a mark that isn't in brackets looks like. */
const FOREIGN =
  /[ \t]*(?:\ue200[^\ue201]*|##\d[\d, ]*\$?|<\/?(?:sup|cite|ref|source|co:)[^<>]*>?[\d, ]*(?:<[/a-z]*)?|\[(?:\/\w*|cite_\w*|(?:REF|ref|cite|citation|source)\][\d, ]*(?:\[[/\w]*)?))$/;
const LAST_WORD = /\p{L}+$/u;
/** How far back a marker can begin. */
const LONGEST = 64;

/**
 * Where a marker begins that the end of an answer cuts off, with the blanks and brackets before it; null if there is none.
 * `before` is the text before `position`; `isNext` after another marker.
 */
export function cutOffAt(
  text: string,
  position: number,
  { before, isNext }: { before: string; isNext: boolean },
): number | null {
  for (let at = Math.max(position, text.length - LONGEST); at < text.length; at += 1) {
    const closer = CLOSERS.get(text.charAt(at));
    if (
      closer &&
      isBeginning(text, at, { closer, before: before + text.slice(position, at), isNext })
    ) {
      return position + trimmed(text.slice(position, at));
    }
  }
  const foreign = FOREIGN.exec(text.slice(position))?.index;
  return foreign === undefined ? null : position + foreign;
}

function trimmed(text: string): number {
  return text.replace(/(?:[ \t\u00a0]|[([\\])*$/, "").length;
}

/** Whether a bracket that isn't closed could have become a marker where it stands. */
function isBeginning(
  text: string,
  at: number,
  { closer, before, isNext }: { closer: string; before: string; isNext: boolean },
): boolean {
  return endingsOf(text.slice(at), closer).some((ending) => {
    const whole = text + ending;
    const ahead = new Lookahead(whole, whole.length, true);
    const marker = parseMarker(ahead, at);
    return (
      marker?.end === whole.length &&
      !isNotCitation(marker, before, ahead) &&
      (marker.isLabeled || canStand(marker, { before, ahead, hasSources: true, isNext }))
    );
  });
}

function endingsOf(text: string, closer: string): string[] {
  const word = LAST_WORD.exec(text)?.[0].toLowerCase();
  const words = labels.filter((label) => word !== undefined && label.startsWith(word));
  const rests = words.map((label) => `${label.slice(word?.length)} 1`);
  return ["", "1", "9", ":1", ...rests].map((rest) => rest + closer);
}
