/** A stretch of a text: offsets in UTF-16 units, the end excluded. */
export interface Range {
  start: number;
  end: number;
}

// Its rules are Unicode's own, the same for every language.
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** As much of what stands around a full stop as tells whether it ends a sentence. */
const AROUND = 24;
/** Never the end of a sentence. */
const ABBREVIATION =
  /(?:^|[\s(“"'])(?:e\. ?g|i\. ?e|viz|vs|cf|ca|approx|incl|resp|Drs?|Mrs?|Ms|Prof|St|Figs?|Eq|Ref|Dra|Sra?|Mme|Mlle|bzw|ggf|evtl|vgl|inkl|[zdu]\. ?[BhUa]|p\. ?e[jx]|т\. ?[ед])\.$/i;
/** Before a number only. */
const NUMBERED = /(?:^|[\s(“"'])(?:Nos?|Nr|pp?|[Vv]ol|Sec|Ch|Tab|Abb|Art|рис)\.$/;
/** The end of a sentence only before a word that mostly begins one: "U.S.", "et al.", "vitamin K." */
const OPEN_END = /(?:^|[\s(“"'])(?:(?:\p{L}\.){2,}|\p{Lu}\.|al\.|etc\.|Inc\.|Ltd\.)$/u;
const STARTER =
  /^["“(]?(?:The|An?|In|It|Its|This|These|That|Those|If|When|While|For|He|She|They|We|You|But|And|So|However|Most|Many|Some|Other|Because|Although|After|Before|There|On|At|By|As|To|Do|Does|Is|Are|Call|See|People|Not|No)\b/;
/** The segmenter takes "They filter. eGFR falls" for one sentence, because it goes on in lower case. */
const SMALL_INITIAL = /(?<=[\p{Ll})%][.!?])\s+(?=\p{Ll}{1,2}\p{Lu})/gu;

/** The sentences of a paragraph, in order, without the blanks around them. */
export function sentenceRanges(body: string): Range[] {
  // A line break would end a sentence; a blank of the same length keeps every offset.
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

/** Whether the full stop that a text ends with belongs to an abbreviation that a sentence goes on after. */
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

/** A stretch of a text without the blanks around it. */
export function trimRange(text: string, start: number, end: number): Range {
  const part = text.slice(start, end);
  const from = end - part.trimStart().length;
  return { start: from, end: Math.max(from, start + part.trimEnd().length) };
}
