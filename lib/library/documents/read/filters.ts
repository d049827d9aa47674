import "server-only";

import { invalidRequest } from "@/lib/errors";
import { queryUntil } from "@/lib/platform/db/client";
import { type DocumentAccess, isWhole } from "../collections";
import { type Comparison, comparisonsIn, type Filter } from "../filter-schema";
import { OWN_FIELDS, valueBounds } from "../filter-value";

/** Adds a parameter to a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The SQL condition that a document `d` of the collections matches the filter. Names and values are parameters. */
export function filterCondition(
  filter: Filter,
  collectionIds: readonly string[],
  bind: Bind,
): string {
  const ids = bind(collectionIds);
  const conditionOf = (each: Filter): string => {
    if ("filters" in each) {
      const joined = each.filters.map(conditionOf).join(each.type === "and" ? " AND " : " OR ");
      return `(${joined})`;
    }
    const isNegated = each.type === "ne" || each.type === "nin";
    return `${isNegated ? "NOT " : ""}EXISTS (SELECT FROM document_attribute a
      WHERE a.document_id = d.id AND a.account_id = d.account_id AND a.collection_id = ANY(${ids})
        AND a.key = ${bind(each.key)} AND (${comparisonCondition(each, bind)}))`;
  };
  return conditionOf(filter);
}

function comparisonCondition({ type, key, value }: Comparison, bind: Bind): string {
  const bounds = (Array.isArray(value) ? value : [value]).map((each) => valueBounds(key, each));
  const [{ low, high } = { low: "", high: "" }] = bounds;
  // Values of one type lie between its letter and the next.
  const least = low.charAt(0);
  const beyond = String.fromCharCode(low.charCodeAt(0) + 1);
  switch (type) {
    case "gt":
      return `a.value > ${bind(high)} AND a.value < ${bind(beyond)}`;
    case "gte":
      return `a.value >= ${bind(low)} AND a.value < ${bind(beyond)}`;
    case "lt":
      return `a.value >= ${bind(least)} AND a.value < ${bind(low)}`;
    case "lte":
      return `a.value >= ${bind(least)} AND a.value <= ${bind(high)}`;
    default: {
      const exact = bounds.filter((each) => each.low === each.high).map((each) => each.low);
      const days = bounds.filter((each) => each.low !== each.high);
      return [
        ...(exact.length > 0 ? [`a.value = ANY(${bind(exact)})`] : []),
        ...days.map((day) => `a.value BETWEEN ${bind(day.low)} AND ${bind(day.high)}`),
      ].join(" OR ");
    }
  }
}

const MAX_NAMES = 50;

/** Each name with one look-up in the index, however many documents have it. */
const NAMES_SQL = `WITH RECURSIVE name (collection_id, place, key) AS (
  SELECT k.id, 1, (SELECT min(a.key) FROM document_attribute a WHERE a.collection_id = k.id) FROM unnest($1::text[]) AS k(id)
  UNION ALL
  SELECT n.collection_id, n.place + 1,
         (SELECT min(a.key) FROM document_attribute a WHERE a.collection_id = n.collection_id AND a.key > n.key)
    FROM name n WHERE n.key IS NOT NULL AND n.place < $3)
SELECT DISTINCT key FROM name WHERE key IS NOT NULL AND NOT key = ANY($2) ORDER BY key LIMIT $3`;

const KNOWN_SQL = `SELECT k.key FROM unnest($2::text[]) AS k(key)
  WHERE EXISTS (SELECT FROM document_attribute a WHERE a.collection_id = ANY($1) AND a.key = k.key)`;

/** For a bound key: of the documents in its stores. */
const BOUND_NAMES_SQL = `SELECT DISTINCT a.key
   FROM vector_store_file b JOIN document_attribute a ON a.document_id = b.document_id AND a.account_id = b.account_id
  WHERE b.store_id = ANY($2) AND a.collection_id = ANY($1)`;

/** Names of the attributes that documents have, at most 50, in alphabetic order; without the fields of every document. */
export async function listAttributeNames(
  signal: AbortSignal,
  [collectionIds, bound]: DocumentAccess,
): Promise<string[]> {
  const own = Object.keys(OWN_FIELDS);
  const whole = collectionIds.filter((id) => isWhole(id, bound));
  const values = [whole, own, MAX_NAMES];
  const all = await findNames(signal, "documents_attribute_names", NAMES_SQL, values);
  const ofStores = await findNamesOfStores(signal, [collectionIds, bound]);
  const names = new Set([...all, ...ofStores.filter((key) => !own.includes(key))]);
  return [...names].toSorted().slice(0, MAX_NAMES);
}

async function findNames(
  signal: AbortSignal,
  ...statement: [name: string, sql: string, values: unknown[]]
): Promise<string[]> {
  return (await queryUntil<{ key: string }>(signal, ...statement)).map(({ key }) => key);
}

async function findNamesOfStores(
  signal: AbortSignal,
  [collectionIds, bound]: DocumentAccess,
): Promise<string[]> {
  return bound
    ? findNames(signal, "documents_bound_names", BOUND_NAMES_SQL, [collectionIds, bound])
    : [];
}

/**
 * For a filter that matched nothing. Throws invalid_request, with the path in the filter, for a name that no document of
 * the collections has, and lists those that there are.
 */
export async function rejectUnknownNames(
  signal: AbortSignal,
  access: DocumentAccess,
  filter: Filter,
): Promise<void> {
  const [collectionIds, bound] = access;
  const asked = [...comparisonsIn(filter)].flatMap(({ comparison, path }) =>
    comparison && !Object.hasOwn(OWN_FIELDS, comparison.key) ? { key: comparison.key, path } : [],
  );
  const whole = collectionIds.filter((id) => isWhole(id, bound));
  const values = [whole, asked.map(({ key }) => key)];
  const known = [
    ...(await findNamesOfStores(signal, access)),
    ...(await findNames(signal, "documents_known_names", KNOWN_SQL, values)),
  ];
  const unknown = asked.find(({ key }) => !known.includes(key));
  if (!unknown) {
    return;
  }
  const names = (await listAttributeNames(signal, access)).map((key) => `'${key}'`).join(", ");
  const there = names ? `Attributes that exist: ${names}.` : "None of them has attributes.";
  throw invalidRequest(
    `No document that this request can read has an attribute '${unknown.key}'. ${there} Fields of every document: ${Object.keys(OWN_FIELDS).join(", ")}.`,
    ["filters", ...unknown.path, "key"].join("."),
  );
}
