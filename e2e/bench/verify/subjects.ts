import { createHash } from "node:crypto";
import { analyzePassage } from "@/lib/evidence/verdict/analyze-passage";
import { judgeAnalyzed } from "@/lib/evidence/verdict/judge";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { Random } from "../search/random";
import { countVerdict, type Row, sentencesOf } from "./corruption";
import type { Half, TitledText } from "./pairs";
import { reword } from "./reword";
import lists from "./subjects.json" with { type: "json" };

const KINDS = Object.entries(lists).map(([kind, names]) => {
  const list = names.split(", ");
  const form = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${list.join("|")})(?![\\p{L}\\p{N}-])`, "giu");
  return { kind, list, form };
});
interface JudgedClaim {
  what: string;
  wording: string;
  claim: string;
  verdict: Verdict;
  reason: string | null;
}

type See = (judged: JudgedClaim) => void;

/** The passage around a sentence: about as long as a chunk. */
const PASSAGE_LENGTH = 1500;

/** Judges sentences that name a drug or a disease against the text around them, untouched and with another one. */
export function measureSubjects(
  texts: readonly TitledText[],
  half: Half,
  see: See = () => undefined,
): Row[] {
  const rows = new Map<string, Row>();
  for (const [at, text] of texts.entries()) {
    const [byte = 0] = createHash("sha256").update(`subject ${at}`).digest();
    if ((byte % 2 === 0 ? "tuned" : "reported") === half) {
      const random = new Random(at, half === "tuned" ? 3 : 4);
      for (const judged of judgeText(text, random)) {
        countVerdict(rows, judged.what, judged.wording, judged.verdict);
        see(judged);
      }
    }
  }
  return [...rows.values()];
}

function judgeText({ title, text }: TitledText, random: Random): JudgedClaim[] {
  return KINDS.flatMap(({ kind, list, form }) => {
    const named = random
      .shuffle(sentencesOf(text))
      .find((sentence) => sentence.search(form) >= 0 && text.includes(sentence));
    if (!named) {
      return [];
    }
    const start = Math.max(0, text.indexOf(named) - PASSAGE_LENGTH / 3);
    const passage = text.slice(start, start + PASSAGE_LENGTH);
    const others = list.filter((name) => !isNamed(name, `${title} ${text}`));
    const analyzed = analyzePassage(passage, title);
    const wordings = Object.entries({ plain: named, reworded: reword(named, random) });
    return wordings.flatMap(([wording, sentence]) => {
      const other = sentence && swap(sentence, form, random.pick(others));
      const claims = sentence && other ? { naming: sentence, another: other } : {};
      return Object.entries(claims).map(([how, claim]) => {
        const { verdict, reason } = judgeAnalyzed(claim, analyzed);
        const what = how === "naming" ? `naming a ${kind}` : `another ${kind}`;
        return { what, wording, claim, verdict, reason };
      });
    });
  });
}

/** Whether a text has the name or, of a longer name, its telling part. */
function isNamed(name: string, text: string): boolean {
  return text.toLowerCase().includes(name.toLowerCase());
}

/** Puts another name everywhere the sentence has the same one; null if it has none. */
function swap(sentence: string, form: RegExp, other: string): string | null {
  const found = sentence.match(form)?.[0];
  if (!found) {
    return null;
  }
  const isStart = sentence.startsWith(found);
  const name = isStart ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other;
  return sentence.replaceAll(found, name);
}
