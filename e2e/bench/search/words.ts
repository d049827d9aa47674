import { termId, termsOf } from "@/lib/text/analyzer";
import type { TermWeights } from "@/lib/text/bm25";
import { Random } from "./random";

const VOCABULARY = 80_000;
/** Zipf–Mandelbrot: the most common word, excluding stop words, is in nearly half of all chunks. */
const ZIPF_SHIFT = 20;
const DRAWS = 1 << 21;
const TOPIC_WORDS = 300;
const SYLLABLES = [
  ..."ba be bi bo ca ce co da de di do fa fe fi ga go ha he hi ka ke ko la le li lo ma me mi mo na ne ni no".split(
    " ",
  ),
  ..."pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo xa ze zo".split(" "),
];
const CODAS = ["n", "r", "l", "m", "t", "x", "sk", "rt", "nd", "k"];
const STOP_WORDS = [
  "the",
  "of",
  "and",
  "in",
  "to",
  "is",
  "with",
  "for",
  "as",
  "was",
  "by",
  "that",
  "are",
  "from",
];

/** A synthetic language: words by decreasing frequency, and texts that tend to repeat words. */
export class Words {
  /** Most common first. */
  readonly list: string[];
  private readonly ids: number[];
  private readonly draws: Uint32Array;

  constructor(private readonly seed: number) {
    const random = new Random(seed, 10);
    const byId = new Map<number, string>();
    while (byId.size < VOCABULARY) {
      const word = makeWord(random);
      const [term, ...more] = termsOf(word);
      if (term !== undefined && more.length === 0 && !byId.has(termId(term))) {
        byId.set(termId(term), word);
      }
    }
    this.list = [...byId.values()];
    this.ids = [...byId.keys()];
    this.draws = zipf();
  }

  /** The ranks of a chunk's 60 to 180 words, in order: some from its topic, many repeated. */
  ranksOf(chunk: number, topic: number): Uint32Array {
    const random = new Random(this.seed, 11, chunk);
    const ranks = new Uint32Array(random.within(60, 180));
    for (let index = 0; index < ranks.length; index += 1) {
      const kind = random.next();
      if (kind < 0.3 && index > 0) {
        ranks[index] = ranks[random.below(index)] ?? 0;
      } else {
        ranks[index] =
          kind < 0.55
            ? this.topicRank(topic, Math.floor(TOPIC_WORDS * random.next() ** 2))
            : (this.draws[random.below(DRAWS)] ?? 0);
      }
    }
    return ranks;
  }

  /** Draws a word by frequency. */
  draw(random: Random): number {
    return this.draws[random.below(DRAWS)] ?? 0;
  }

  textOf(ranks: Uint32Array): string {
    let text = "";
    for (const [index, rank] of ranks.entries()) {
      const end = index % 12 === 11 ? ". " : " ";
      const filler = index % 3 === 2 ? "" : `${STOP_WORDS[(rank + index) % STOP_WORDS.length]} `;
      text += filler + this.list[rank] + end;
    }
    return text;
  }

  /** The result of lib/text/bm25.ts without tokenizing again; checked when loading starts. */
  weightsOf(ranks: Uint32Array): TermWeights {
    const counts = new Map<number, number>();
    for (const rank of ranks) {
      const id = this.ids[rank] ?? 0;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const lengthFactor = 1.2 * (0.25 + (0.75 * ranks.length) / 140);
    const entries = [...counts].sort(([a], [b]) => a - b);
    return {
      terms: entries.map(([term]) => term),
      weights: entries.map(([, count]) => (count * 2.2) / (count + lengthFactor)),
    };
  }

  private topicRank(topic: number, word: number): number {
    const position = new Random(this.seed, 12, topic * TOPIC_WORDS + word).next();
    return Math.floor(100 * 400 ** position);
  }
}

function makeWord(random: Random): string {
  const syllables = Array.from({ length: random.within(2, 4) }, () => random.pick(SYLLABLES));
  return syllables.join("") + random.pick(CODAS);
}

/** Rank counts. */
function zipf(): Uint32Array {
  const shares = Array.from({ length: VOCABULARY }, (_, rank) => 1 / (rank + 1 + ZIPF_SHIFT));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const draws = new Uint32Array(DRAWS);
  let rank = 0;
  let reached = (shares[0] ?? 0) / total;
  for (let index = 0; index < DRAWS; index += 1) {
    while ((index + 0.5) / DRAWS > reached && rank < VOCABULARY - 1) {
      rank += 1;
      reached += (shares[rank] ?? 0) / total;
    }
    draws[index] = rank;
  }
  return draws;
}
