import type pg from "pg";
import { termKey, vocabularyKeys } from "@/lib/library/documents/term-keys";
import { termId, termOfWord } from "@/lib/text/analyzer";
import { BinaryCopy } from "./binary-copy";
import type { Corpus, Tenant } from "./corpus";

/** Each collection's own words, from which misspelled ones are corrected. `counts`: its document frequencies by key. */
export async function copyVocabulary(
  client: pg.Client,
  { words }: Corpus,
  counts: ReadonlyMap<Tenant, ReadonlyMap<number, number>>,
): Promise<void> {
  const copy = await BinaryCopy.begin(
    client,
    "vocabulary (collection_id, account_id, term_key, word, deletion_keys)",
  );
  for (const [{ collectionId, accountId }, frequencies] of counts) {
    for (const word of words.list) {
      const key = termKey(collectionId, termId(termOfWord(word) ?? word), 0);
      if (frequencies.has(key)) {
        await copy.row(5);
        copy.text(collectionId);
        copy.text(accountId);
        copy.int4(key);
        copy.text(word);
        copy.int4s(vocabularyKeys(collectionId, word));
      }
    }
  }
  await copy.end();
}

/** Swaps the two letters in the middle of a query's longest word. */
export function misspell(query: string): string {
  const [longest = ""] = query.split(" ").toSorted((one, other) => other.length - one.length);
  const at = Math.floor(longest.length / 2);
  const swapped = `${longest.slice(0, at - 1)}${longest[at]}${longest[at - 1]}${longest.slice(at + 1)}`;
  return query.replace(longest, swapped);
}
