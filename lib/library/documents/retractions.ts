import type { Standing } from "./schema";

/** What is known of a document's place in the literature. */
export interface Identified {
  url: string | null;
  doi: string | null;
  pmid: string | null;
  /** The id that it was imported with. */
  key: string | null;
}

/** A row of a retraction list, by the names of its columns. */
export type RetractionRow = Record<string, string>;

/** The standing of a document by any of its identifiers. */
export type Standings = ReadonlyMap<string, Standing>;

const DOI = /10\.\d{4,9}\/[^\s?#"<>]+/i;
const PUBMED_URL =
  /^https?:\/\/(?:pubmed\.ncbi\.nlm\.nih\.gov|www\.ncbi\.nlm\.nih\.gov\/pubmed)\/(\d+)/i;
/** How lists write that there is none. */
const NONE = /^(?:0|unavailable|n\/?a|none|-)?$/i;

/** Ours, and those of the Retraction Watch database, in lower case without blanks and underscores. */
const COLUMNS = {
  doi: ["doi", "originalpaperdoi"],
  pmid: ["pmid", "originalpaperpubmedid"],
  url: ["url"],
  key: ["externalid"],
  standing: ["standing", "retractionnature"],
  date: ["retractiondate", "date"],
} as const;

/** Notices that change nothing, such as corrections, are null. */
const STANDINGS: Record<string, Standing | null> = {
  retraction: "retracted",
  retracted: "retracted",
  reinstatement: "current",
  current: "current",
  superseded: "superseded",
  correction: null,
  "expression of concern": null,
};

/** Reads the rows of a list in order; of several notices about a document, the newest counts. */
export function readRetractions(rows: Iterable<RetractionRow>): {
  standings: Standings;
  /** Rows without an identifier or with an unknown kind of notice. */
  unusable: number;
} {
  const newest = new Map<string, Notice>();
  let unusable = 0;
  for (const row of rows) {
    const notice = readNotice(row);
    unusable += notice ? 0 : 1;
    for (const id of notice?.ids ?? []) {
      if (notice && notice.time >= (newest.get(id)?.time ?? 0)) {
        newest.set(id, notice);
      }
    }
  }
  const standings = [...newest].map(([id, { standing }]) => [id, standing] as const);
  return { standings: new Map(standings), unusable };
}

interface Notice {
  /** None if it changes nothing. */
  ids: string[];
  standing: Standing;
  time: number;
}

/** Null if it names no document, or is of an unknown kind. */
function readNotice(row: RetractionRow): Notice | null {
  const { standing: kind = "retraction", date = "", ...named } = fieldsOf(row);
  const standing = STANDINGS[kind.toLowerCase()];
  const ids = identifiersOf({ url: null, doi: null, pmid: null, key: null, ...named });
  if (standing === undefined || ids.length === 0) {
    return null;
  }
  const time = Date.parse(date) || 0;
  return standing ? { ids, standing, time } : { ids: [], standing: "current", time };
}

function fieldsOf(row: RetractionRow): Partial<Record<keyof typeof COLUMNS, string>> {
  const given = new Map(
    Object.entries(row).map(([name, value]) => [
      name.toLowerCase().replace(/[\s_]/g, ""),
      value.trim(),
    ]),
  );
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, names]) => {
      const value = names.map((name) => given.get(name)).find((each) => each && !NONE.test(each));
      return value ? [[field, value]] : [];
    }),
  );
}

/** In one spelling each, such as `doi:10.1000/182`. */
export function identifiersOf({ url, doi, pmid, key }: Identified): string[] {
  const found = [
    ...[doi, url, key].map((text) => labeled("doi", DOI.exec(text ?? "")?.[0].toLowerCase())),
    labeled("pmid", /^\d+$/.exec(pmid?.trim() ?? "")?.[0]),
    labeled("pmid", PUBMED_URL.exec(url ?? "")?.[1]),
    labeled("pmid", /^pmid:?\s*(\d+)$/i.exec(key ?? "")?.[1]),
    labeled("url", url?.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/\/+$/, "")),
    labeled("key", key),
  ];
  return [...new Set(found.flatMap((id) => id ?? []))];
}

function labeled(kind: string, value: string | null | undefined): string | null {
  return value ? `${kind}:${value}` : null;
}

/** The standing that a list gives a document; undefined if it doesn't name it. */
export function standingFor(document: Identified, standings: Standings): Standing | undefined {
  return identifiersOf(document)
    .map((id) => standings.get(id))
    .find((standing) => standing !== undefined);
}
