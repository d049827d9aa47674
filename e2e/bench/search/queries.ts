import { type Collection, PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import type { Corpus, SyntheticChunk, SyntheticDocument, Tenant } from "./corpus";
import { SOURCE_TYPES } from "./corpus";
import { Random } from "./random";

const SCOPES = [
  "public",
  "large customer",
  "tiny customer",
  "public and large",
  "public and tiny",
] as const;
const KINDS = ["mixed", "mixed", "mixed", "common"] as const;
/** Common words: even the rarest of them is in one of thirteen chunks. */
const COMMON_RANKS = 60;

export interface BenchQuery {
  scope: (typeof SCOPES)[number];
  kind: (typeof KINDS)[number];
  text: string;
  point: Float32Array;
  collections: Collection[];
  accountId: string;
  sourceTypes: string[] | undefined;
}

/** Queries about the corpus: 2 to 8 words, near a stored passage or the center of a topic. */
export function makeQueries(corpus: Corpus, count: number): BenchQuery[] {
  const [, ...customers] = corpus.tenants;
  const tiny = customers.slice(60);
  const documents = Map.groupBy(corpus.documents, ({ tenant }) => tenant.collectionId);
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(corpus.seed, 30, index);
    const scope = SCOPES[index % SCOPES.length] ?? "public";
    const kind = KINDS[Math.floor(index / SCOPES.length) % KINDS.length] ?? "mixed";
    const customer = random.pick(scope.includes("tiny") ? tiny : customers.slice(0, 3));
    const searched = collectionsOf(scope, customer);
    const target = random.pick(documents.get(random.pick(searched).id) ?? []);
    const chunk = random.pick([...corpus.chunksOf(target)]);
    return {
      scope,
      kind,
      text: [...wordsOf(corpus, { chunk, kind, random })].join(" "),
      point: pointOf(corpus, { chunk, target, random, index }),
      collections: searched,
      accountId: customer.accountId,
      sourceTypes: index % 10 === 9 ? [random.pick(SOURCE_TYPES)] : undefined,
    };
  });
}

function collectionsOf(scope: BenchQuery["scope"], customer: Tenant): Collection[] {
  const { collectionId: id, accountId } = customer;
  const own: Collection = { id, scope: "customer_kb", accountId, personId: null };
  return [
    ...(scope.startsWith("public") ? [PUBLIC_COLLECTION] : []),
    ...(scope === "public" ? [] : [own]),
  ];
}

interface Draw {
  chunk: SyntheticChunk;
  kind: BenchQuery["kind"];
  random: Random;
}

/** Rare and common words of the chunk, sometimes with one that isn't in it; or only common words. */
function wordsOf({ words }: Corpus, { chunk, kind, random }: Draw): Set<string> {
  const count = random.within(2, kind === "common" ? 6 : 8);
  const ranks = new Set<number>();
  while (ranks.size < count) {
    const said = random.next() < 0.8 ? random.pick([...chunk.ranks]) : words.draw(random);
    ranks.add(kind === "common" ? random.below(COMMON_RANKS) : said);
  }
  return new Set([...ranks].map((rank) => words.list[rank] ?? ""));
}

/** Seven of ten are near a stored passage, the others near the center of a topic, with many equally close chunks. */
function pointOf(
  { points }: Corpus,
  {
    chunk,
    target,
    random,
    index,
  }: Omit<Draw, "kind"> & { target: SyntheticDocument; index: number },
): Float32Array {
  const isNearChunk = random.next() < 0.7;
  return points.ofQuery(
    isNearChunk ? chunk.point : points.centerOf(points.clusterOf(target.index)),
    index,
  );
}
