import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import type { TermWeights } from "@/lib/text/bm25";
import { Points } from "./points";
import { Random } from "./random";
import { Words } from "./words";

export const SPACE = "bench@384";
export const SOURCE_TYPES = ["article", "guideline", "manual", "leaflet"];
const TENANTS = 200;
/** Crockford base32, as in a ULID: no I, L, O or U. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

export interface Tenant {
  collectionId: string;
  accountId: string;
  chunks: number;
}

export interface SyntheticDocument {
  index: number;
  id: string;
  tenant: Tenant;
  sourceType: string;
  firstChunk: number;
  chunks: number;
}

export interface SyntheticChunk extends TermWeights {
  id: string;
  ordinal: number;
  document: SyntheticDocument;
  /** The frequency ranks of its words. */
  ranks: Uint32Array;
  text: string;
  point: Float32Array;
}

/** A deterministic corpus with a public collection and customers from large to tiny. */
export class Corpus {
  readonly tenants: Tenant[];
  readonly documents: SyntheticDocument[];
  readonly words: Words;
  readonly points: Points;

  constructor(
    readonly size: number,
    readonly seed: number,
  ) {
    this.words = new Words(seed);
    this.points = new Points(seed);
    this.tenants = makeTenants(size);
    this.documents = makeDocuments(this.tenants, new Random(seed, 20));
  }

  /** Every chunk in insertion order, with all tenants' documents mixed. */
  *chunks(): Generator<SyntheticChunk> {
    for (const document of this.documents) {
      yield* this.chunksOf(document);
    }
  }

  *chunksOf(document: SyntheticDocument): Generator<SyntheticChunk> {
    const topic = this.points.clusterOf(document.index);
    const documentPoint = this.points.ofDocument(document.index);
    for (let ordinal = 0; ordinal < document.chunks; ordinal += 1) {
      const index = document.firstChunk + ordinal;
      const ranks = this.words.ranksOf(index, topic);
      yield {
        id: `chk_${numeral(index)}`,
        ordinal,
        document,
        ranks,
        text: this.words.textOf(ranks),
        point: this.points.ofChunk(documentPoint, index),
        ...this.words.weightsOf(ranks),
      };
    }
  }
}

/** Half of all chunks are public. The rest belong to customers of steeply decreasing size. */
function makeTenants(size: number): Tenant[] {
  const shares = Array.from({ length: TENANTS }, (_, rank) => (rank + 1) ** -1.5);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const customers = shares.map((share, rank) => {
    const accountId = `acct_${numeral(rank)}`;
    const chunks = Math.max(1, Math.round((share / total) * (size / 2)));
    return { collectionId: `customer_kb:${accountId}`, accountId, chunks };
  });
  const ofCustomers = customers.reduce((sum, { chunks }) => sum + chunks, 0);
  return [
    {
      collectionId: PUBLIC_COLLECTION.id,
      accountId: PUBLIC_COLLECTION.accountId,
      chunks: size - ofCustomers,
    },
    ...customers,
  ];
}

function makeDocuments(tenants: readonly Tenant[], random: Random): SyntheticDocument[] {
  const parts = tenants.flatMap((tenant) => {
    const counts: number[] = [];
    for (let left = tenant.chunks; left > 0; left -= counts.at(-1) ?? left) {
      counts.push(Math.min(left, random.within(5, 35)));
    }
    return counts.map((chunks) => ({ tenant, chunks, sourceType: random.pick(SOURCE_TYPES) }));
  });
  let firstChunk = 0;
  return random.shuffle(parts).map((part, index) => {
    const document = { ...part, index, id: `doc_${numeral(index)}`, firstChunk };
    firstChunk += part.chunks;
    return document;
  });
}

/** 26 characters that sort like the numbers. */
export function numeral(value: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 32)) {
    text = (DIGITS[rest % 32] ?? "0") + text;
  }
  return text.padStart(26, "0");
}
