import "server-only";

import { queryUntil } from "@/lib/platform/db/client";
import { languageTerm } from "@/lib/text/bm25";
import {
  LATIN_LANGUAGES,
  type Language,
  type LatinLanguage,
  languageOf,
} from "@/lib/text/languages";
import type { CollectionKey } from "../collections";
import { termKey } from "../term-keys";

/** Enough passages of each collection, and enough of each, to tell a language that isn't indexed. */
const SAMPLE = 50;
const SAMPLE_CHARACTERS = 600;

/** The languages of the collections' passages: each that is indexed, and those of a sample. */
export async function listLanguages(
  signal: AbortSignal,
  collections: readonly CollectionKey[],
): Promise<Language[]> {
  const ids = collections.map(({ id }) => id);
  const accountIds = collections.map(({ accountId }) => accountId);
  const keys = new Map(
    ids.flatMap((id) =>
      LATIN_LANGUAGES.map(
        (language) => [termKey(id, languageTerm(language), 0), language] as const,
      ),
    ),
  );
  const [indexed, sample] = await Promise.all([
    queryUntil<{ term_key: number }>(
      signal,
      "documents_indexed_languages",
      `SELECT f.term_key FROM document_frequency f
        WHERE f.collection_id = ANY($1) AND f.account_id = ANY($2) AND f.term_key = ANY($3)`,
      [ids, accountIds, [...keys.keys()]],
    ),
    queryUntil<{ text: string }>(
      signal,
      "documents_language_sample",
      `SELECT sample.text FROM unnest($1::text[]) AS k(id) CROSS JOIN LATERAL (
         SELECT left(c.text, $3) AS text FROM chunk c
          WHERE c.collection_id = k.id AND c.account_id = ANY($2) LIMIT $4) AS sample`,
      [ids, accountIds, SAMPLE_CHARACTERS, SAMPLE],
    ),
  ]);
  const known = indexed.flatMap(({ term_key }): LatinLanguage[] => {
    const language = keys.get(term_key);
    return language ? [language] : [];
  });
  return [
    ...new Set<Language>([...known, ...sample.flatMap(({ text }) => languageOf(text) ?? [])]),
  ];
}
