import { dictionary } from "@zxcvbn-ts/language-en";
import type pg from "pg";
import { PUBLIC_COLLECTION } from "@/lib/documents/collections";
import { termKey, vocabularyKeys } from "@/lib/documents/term-keys";
import { termId, termOfWord } from "@/lib/text/analyzer";
import { isSpellable } from "@/lib/text/spelling";
import { BinaryCopy } from "../search/binary-copy";
import { Random } from "../search/random";
import { onServer } from "../search/server";

export interface Tenant {
  collectionId: string;
  accountId: string;
  chunks: number;
  /** Distinct words. */
  words: number;
}

const TENANTS = 200;
const WORDS_A_CHUNK = 140;
/** Heaps' law: so many times the square root of the words, as in MedQuAD's 21,209 chunks. */
const HEAPS = 30;
/** Of a collection's chunks, the share that has its most common word, and how fast the others fall off (Zipf). */
const COMMON_SHARE = 0.5;
const ZIPF_SHIFT = 20;

/** Half of all chunks are public; the rest belong to customers of steeply decreasing size. */
export function tenantsOf(chunks: number): Tenant[] {
  const shares = Array.from({ length: TENANTS }, (_, rank) => (rank + 1) ** -1.5);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const customers = shares.map((share, rank) => {
    const accountId = `acct_${String(rank).padStart(26, "0")}`;
    const own = Math.max(1, Math.round((share / total) * (chunks / 2)));
    return { collectionId: `customer_kb:${accountId}`, accountId, chunks: own };
  });
  const { id, accountId } = PUBLIC_COLLECTION;
  return [{ collectionId: id, accountId, chunks: Math.round(chunks / 2) }, ...customers].map(
    (tenant) => ({
      ...tenant,
      words: Math.round(HEAPS * Math.sqrt(WORDS_A_CHUNK * tenant.chunks)),
    }),
  );
}

/** Fills an empty, migrated database with each tenant's words and how many chunks have them. */
export async function fill(
  url: string,
  tenants: readonly Tenant[],
): Promise<{ list: string[]; rows: number }> {
  const list = makeWords(Math.max(...tenants.map(({ words }) => words)));
  const terms = list.map((word) => termId(termOfWord(word) ?? word));
  await onServer(url, async (client) => {
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
    await client.query(
      "INSERT INTO account (id, name) SELECT id, id FROM unnest($1::text[]) AS a(id) ON CONFLICT DO NOTHING",
      [tenants.map((tenant) => tenant.accountId)],
    );
    await client.query(
      `INSERT INTO collection (id, scope, account_id, chunk_count)
       SELECT id, split_part(id, ':', 1), account_id, chunks
         FROM unnest($1::text[], $2::text[], $3::int[]) AS c(id, account_id, chunks)
       ON CONFLICT (id, account_id) DO UPDATE SET chunk_count = excluded.chunk_count`,
      [
        tenants.map((tenant) => tenant.collectionId),
        tenants.map((tenant) => tenant.accountId),
        tenants.map((tenant) => tenant.chunks),
      ],
    );
    await copyFrequencies(client, tenants, terms);
    await copyWords(client, tenants, { list, terms });
    await client.query("VACUUM (ANALYZE) vocabulary, document_frequency, collection");
  });
  return { list, rows: tenants.reduce((sum, { words }) => sum + words, 0) };
}

async function copyFrequencies(
  client: pg.Client,
  tenants: readonly Tenant[],
  terms: readonly number[],
): Promise<void> {
  const copy = await BinaryCopy.begin(
    client,
    "document_frequency (collection_id, account_id, term_key, chunk_count)",
  );
  for (const { collectionId, accountId, chunks, words } of tenants) {
    const counts = new Map<number, number>();
    for (const [rank, term] of terms.slice(0, words).entries()) {
      const key = termKey(collectionId, term, 0);
      const share = (COMMON_SHARE * ZIPF_SHIFT) / (rank + ZIPF_SHIFT);
      counts.set(key, Math.max(counts.get(key) ?? 0, Math.ceil(share * chunks)));
    }
    for (const [key, count] of counts) {
      await copy.row(4);
      copy.text(collectionId);
      copy.text(accountId);
      copy.int4(key);
      copy.int4(count);
    }
  }
  await copy.end();
}

/** Without the index on its deletions, which is faster to build at the end. */
async function copyWords(
  client: pg.Client,
  tenants: readonly Tenant[],
  { list, terms }: { list: readonly string[]; terms: readonly number[] },
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE indrelid = 'vocabulary'::regclass AND NOT indisprimary`,
  );
  for (const { name } of rows) {
    await client.query(`DROP INDEX ${name}`);
  }
  const copy = await BinaryCopy.begin(
    client,
    "vocabulary (collection_id, account_id, term_key, word, deletion_keys)",
  );
  for (const { collectionId, accountId, words } of tenants) {
    for (const [rank, word] of list.slice(0, words).entries()) {
      await copy.row(5);
      copy.text(collectionId);
      copy.text(accountId);
      copy.int4(termKey(collectionId, terms[rank] ?? 0, 0));
      copy.text(word);
      copy.int4s(vocabularyKeys(collectionId, word));
    }
  }
  await copy.end();
  for (const { definition } of rows) {
    await client.query(definition);
  }
}

/** Words of a language by falling frequency: English ones, then others made of the same runs of letters. */
function makeWords(count: number): string[] {
  const english = Object.values(dictionary)
    .flat()
    .filter((word) => /^[a-z]+$/.test(word) && isSpellable(word) && termOfWord(word) !== null);
  const words = new Set(english);
  const followers = followersOf([...words]);
  const random = new Random(70);
  while (words.size < count) {
    const word = makeWord(followers, random);
    if (isSpellable(word)) {
      words.add(word);
    }
  }
  return [...words].slice(0, count);
}

const RUN = 3;
const END = " ";

/** The letters that follow each run of three; drawn as often as English has them. */
function followersOf(words: readonly string[]): ReadonlyMap<string, string> {
  const followers = new Map<string, string>();
  for (const word of words) {
    const padded = `${END.repeat(RUN)}${word}${END}`;
    for (let at = RUN; at < padded.length; at += 1) {
      const run = padded.slice(at - RUN, at);
      followers.set(run, (followers.get(run) ?? "") + padded[at]);
    }
  }
  return followers;
}

function makeWord(followers: ReadonlyMap<string, string>, random: Random): string {
  let word = END.repeat(RUN);
  while (word.length < 30) {
    const next = followers.get(word.slice(-RUN)) ?? END;
    const letter = next[random.below(next.length)] ?? END;
    if (letter === END) {
      break;
    }
    word += letter;
  }
  return word.trim();
}
