import type { DocumentOutline } from "@/lib/library/documents/read/outline";
import { PLAYGROUND_KNOWLEDGE, type PlaygroundPreset } from "@/lib/money/keys/playground";

const MOST = 3;
const MAX_HEADING = 70;
const MAX_TITLE = 60;

/** Headings that say nothing about what is below them. */
const GENERIC =
  /^(introduction|overview|summary|abstract|background|contents|table of contents|references|appendix|conclusions?|discussion|methods|acknowledg(e)?ments|(page|section|chapter|part|sheet) ?\d*)$/i;

/**
 * Questions about a member's newest documents that the preset searches, in turn from each. About a heading if any
 * document has one, because they have an answer more often. Empty when none has a usable title.
 */
export function toExamples(
  outlines: readonly DocumentOutline[],
  preset: PlaygroundPreset,
): string[] {
  const searched = outlines.filter(({ scope }) => PLAYGROUND_KNOWLEDGE[preset].includes(scope));
  const aboutHeadings = searched.map(aboutHeadingsOf);
  const questions = aboutHeadings.some(({ length }) => length > 0)
    ? aboutHeadings
    : searched.map(({ title }) => (title.trim() ? [`What does “${nameOf(title)}” say?`] : []));
  const longest = Math.max(0, ...questions.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) =>
    questions.flatMap((list) => list[at] ?? []),
  ).flat();
  return [...new Set(inTurn)].slice(0, MOST);
}

function aboutHeadingsOf({ title, headings }: DocumentOutline): string[] {
  const usable = [...new Set(headings.map((heading) => heading.trim()))].filter(
    (heading) =>
      /\p{L}{3}/u.test(heading) &&
      heading.length <= MAX_HEADING &&
      heading.toLowerCase() !== title.trim().toLowerCase() &&
      !GENERIC.test(withoutNumber(heading)),
  );
  return usable.map((heading) =>
    heading.endsWith("?")
      ? heading
      : `What does “${nameOf(title)}” say about ${toSubject(heading)}?`,
  );
}

/** Such as "2.1 Dose" or "IV. Dose". */
function withoutNumber(heading: string): string {
  return heading.replace(/^(\d+(\.\d+)*|[IVX]+)[.)]?\s+/, "").replace(/[:.]$/, "");
}

/** A heading inside a sentence. Abbreviations keep their capitals. */
function toSubject(heading: string): string {
  const words = withoutNumber(heading);
  return /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

function nameOf(written: string): string {
  const title = written.trim();
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE).replace(/\s+\S*$/, "")}…`;
}
