import { foldedTermsOf } from "./terms";

/** Words that phrase a question and that the answer need not repeat. */
export const GENERIC = new Set(
  foldedTermsOf(
    "know mean meaning thing happen need want people person patient someone anyone somebody " +
      "best better way good bad start work soon doctor go come find call say ask explain " +
      "describe define definition list name information article source text document question " +
      "answer accord difference different type kind main common important long help affect " +
      "effect expect worth getting giving making taking doing going last lasts day week month " +
      "year hour minute second time safe okay ok able possible recommend recommended normally " +
      "today currently please thank thanks hello exactly really actually briefly short summary " +
      "consider include contain feel look take due submit provide offer receive apply allow " +
      "service watch careful worry usual basic simple proper correct right standard current " +
      "latest new serious advice advise guideline occur typical typically general generally " +
      "certain various im ive",
  ),
);

/** A decimal point or an abbreviation within a word does not end a sentence. */
export const SENTENCE = /[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g;
/** Asks what something is. */
export const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s| is| are| was| does .* (?:mean|stand for))|who (?:is|are)|define|explain|describe|tell me about|definition|meaning)\b/i;
/** What a question has and a bare label, like "asthma symptoms", has not. */
export const VERB = /\b(?:is|are|do|does|did|can|could|should|will|may|has|have)\b|\?/i;
/** Questions for a measure, and what a sentence has that gives one; the first that fits counts. */
export const MEASURES = [
  {
    asked: /\bhow (?:often|many times|frequently)\b/i,
    told: /\b(?:every|each|once|twice|\w+ times|daily|weekly|monthly|yearly|annual(?:ly)?|an? (?:day|week|month|year)|per (?:day|week|month|year))\b/i,
  },
  {
    asked:
      /\b(?:how (?:long|soon|fast|quickly|old)|what age|when (?:was|did|were|will|do|does|is|are))\b/i,
    told: /\d.*\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|age)\b|\bage[ds]? \d|\b(?:1[89]|20)\d\d\b/i,
  },
  {
    asked:
      /\b(?:how (?:much|many|high|low|common|far|likely|big|large)|what (?:\w+ ){0,3}(?:level|dose|percentage|percent|number|range|value|target|limit|rate|amount|temperature|threshold|score)|is (?:considered )?(?:too )?(?:high|low|normal)|normal|maximum|minimum|at what)\b/i,
    told: /\d/,
  },
];
/** Asks for several things side by side. */
export const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*|which\b.*\bor)\b/i;
/** What the term reader would take for a content word: "can't", "whats". */
export const CONTRACTION =
  /\b\w{1,9}n['’]t\b|['’](?:ll|re|ve|d|m)\b|\b(?:what|how|where|who|when)s\b|\b(?:do|ca|wo|is|does)nt\b/gi;
/** Speaks of what was named before. */
export const POINTS_BACK =
  /\b(?:it|its|they|them|their|these|those|he|she|him|her|his)\b|\b(?:this|that)\W*$/i;
/** Takes up the question before. */
export const GOES_ON =
  /^\W*(?:(?:and|but|or|also|what about|how about)\b|(?:why|how so|really|since when)\W*$)/i;
