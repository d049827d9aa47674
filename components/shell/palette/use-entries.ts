"use client";

import type { Theme } from "../theme";
import { documentEntry, type EntryGroup, keyEntry, standingGroups } from "./entries";
import { ranked, scoreOf } from "./rank";
import { useFindings } from "./search-results";

/** What a text finds, by group; what the server has to be asked for comes last, so that it moves nothing. */
export function useEntries(text: string, theme: Theme) {
  const { keys, documents, ...search } = useFindings(text);
  const groups = [
    ...foundGroups(standingGroups(theme), text),
    { name: "Your keys", entries: keys.map(keyEntry) },
    { name: "Your documents", entries: documents.map(documentEntry) },
  ].filter(({ entries }) => entries.length > 0);
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return { groups, count, ...search };
}

/** From here on a word begins as it was typed: which does so better says nothing of a whole group. */
const GOOD = 4;

/** Groups with a good match come first, otherwise they keep their order. */
function foundGroups(groups: readonly EntryGroup[], text: string): readonly EntryGroup[] {
  const best = ({ entries: [first] }: EntryGroup) => (first ? scoreOf(first, text) : 0);
  return groups
    .map(({ name, entries }) => ({ name, entries: ranked(entries, text) }))
    .toSorted((a, b) => Math.min(best(b), GOOD) - Math.min(best(a), GOOD));
}
