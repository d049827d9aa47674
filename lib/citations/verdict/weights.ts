/**
 * How much a word tells, after how often it stands in English medical prose: there are no counts in the
 * product that a single passage could be held against, and the passage's own are too few. Three steps:
 * what every study says, what most speak of, and the rest.
 */
const SCAFFOLD =
  "study studies result results show shown showed find finding findings found suggest suggests report reported " +
  "conclude conclusion conclusions observe observed demonstrate demonstrated investigate investigated examine examined data " +
  "analysis analyses method methods background objective objectives aim aims purpose paper review evidence " +
  "significant respectively include included including among compare compared comparison versus base based " +
  "identify identified determine determined evaluate evaluated assess assessed provide provided present presented " +
  "article author authors research however therefore thus although overall furthermore moreover addition " +
  "total number known important several various different well new also yet via per due recent previous current " +
  "able possible potential potentially novel particular specific become appear seem remain considered consider " +
  "design setting main outcome outcomes measure measures interpretation context importance participant participants " +
  "way state able certain general example fact term terms respect according obtain obtained perform performed " +
  "performance people patient patients person individual individuals subject subjects according first second lack lacks lacked absence absent fail fails failed failure non unable";
const COMMON =
  "effect effects affect increase increased decrease decreased level levels treatment high higher low lower group " +
  "groups cell cells use used risk factor factors disease role cause causes lead leads year years age aged human " +
  "mice mouse women men children adult adults control controls trial trials associated association relate related " +
  "change changes response time rate rates population clinical health care protein proteins gene genes expression " +
  "activity function functional process mechanism mechanisms development type types model models case cases " +
  "condition conditions reduce reduced reduction improve improved require required involve involved induce induced " +
  "regulate regulation normal early late large small common major primary body system value values range mean " +
  "test tests drug drugs therapy day days week weeks month months mortality death survival low dose doses";

const STEPS = { scaffold: 0.3, common: 0.65, plain: 1, rare: 1.25 };
const SCAFFOLD_WORDS = new Set(SCAFFOLD.split(" "));
const COMMON_WORDS = new Set(COMMON.split(" "));
const LONG_WORD = 10;

/** What a content word counts, from 0.3 to 1.25. Adverbs tell little; names, codes and long words most. */
export function weightOf(word: string): number {
  const lower = word.toLowerCase();
  if (SCAFFOLD_WORDS.has(lower) || /^[a-z]{4,}ly$/.test(lower)) {
    return STEPS.scaffold;
  }
  if (COMMON_WORDS.has(lower)) {
    return STEPS.common;
  }
  const isName = /\p{L}.*\d|\p{L}.*\p{Lu}/u.test(word);
  return isName || word.length >= LONG_WORD ? STEPS.rare : STEPS.plain;
}
