/** A part of a text: UTF-16 offsets, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

// Unicode's rules don't depend on the language.
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** How much text around a full stop decides whether it ends a sentence. */
const AROUND = 24;
const ABBREVIATION =
  /(?:^|[\s(“"'])(?:e\. ?g|i\. ?e|viz|vs|cf|ca|approx|incl|resp|Drs?|Mrs?|Ms|Prof|St|Figs?|Eq|Ref|Dra|Sra?|Mme|Mlle|bzw|ggf|evtl|vgl|inkl|[zdu]\. ?[BhUa]|p\. ?e[jx]|т\. ?[ед]|(?<=› )\d{1,3})\.$/i;
const NUMBERED = /(?:^|[\s(“"'])(?:Nos?|Nr|pp?|[Vv]ol|Sec|Ch|Tab|Abb|Art|рис)\.$/;
/** These only end a sentence before a word that usually starts one: "U.S.", "et al.", "vitamin K." */
const OPEN_END = /(?:^|[\s(“"'])(?:(?:\p{L}\.){2,}|\p{Lu}\.|al\.|etc\.|Inc\.|Ltd\.)$/u;
const STARTER =
  /^["“(]?(?:The|An?|In|It|Its|This|These|That|Those|If|When|While|For|He|She|They|We|You|But|And|So|However|Most|Many|Some|Other|Because|Although|After|Before|There|On|At|By|As|To|Do|Does|Is|Are|Call|See|People|Not|No)\b/;
/** The segmenter doesn't split "They filter. eGFR falls", because "eGFR" starts in lower case. */
const SMALL_INITIAL = /(?<=[\p{Ll})%][.!?])\s+(?=\p{Ll}{1,2}\p{Lu})/gu;

export function sentenceRanges(body: string): Range[] {
  // The segmenter would split at line breaks; blanks keep every offset.
  const flat = body.replace(/\s/g, " ");
  const ranges: Range[] = [];
  let start = 0;
  for (const { segment, index } of segmenter.segment(flat)) {
    const end = index + segment.length;
    if (
      end === flat.length ||
      endsSentence(flat.slice(Math.max(start, end - AROUND), end), flat.slice(end, end + AROUND))
    ) {
      ranges.push(...splitBeforeSmallInitial(flat, { start, end }));
      start = end;
    }
  }
  return ranges;
}

/** Whether a text ends with an abbreviation that doesn't end a sentence. */
export function isAbbreviated(text: string): boolean {
  return ABBREVIATION.test(text.slice(-AROUND));
}

function endsSentence(text: string, rest: string): boolean {
  const said = text.trimEnd();
  const isShortened =
    ABBREVIATION.test(said) ||
    (NUMBERED.test(said) && /^\d/.test(rest)) ||
    (/(?:^|\s)\p{Ll}\.$/u.test(said) && /^\p{L}\./u.test(rest));
  return !isShortened && (!OPEN_END.test(said) || STARTER.test(rest));
}

function splitBeforeSmallInitial(flat: string, { start, end }: Range): Range[] {
  const breaks = [...flat.slice(start, end).matchAll(SMALL_INITIAL)];
  return [...breaks.map(({ index }) => start + index), end].map((to, at) => {
    const before = breaks[at - 1];
    return trimRange(flat, before ? start + before.index + before[0].length : start, to);
  });
}

export function trimRange(text: string, start: number, end: number): Range {
  const part = text.slice(start, end);
  const from = end - part.trimStart().length;
  return { start: from, end: Math.max(from, start + part.trimEnd().length) };
}
