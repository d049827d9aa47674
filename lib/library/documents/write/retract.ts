import "server-only";

import { query, type Row, transaction } from "@/lib/platform/db/client";
import { PUBLIC_COLLECTION } from "../collections";
import { type Identified, type Standings, standingFor } from "../retractions";
import type { Standing } from "../schema";
import { upsertCollection } from "./index-document";
import { setStanding } from "./versions";

const PAGE_DOCUMENTS = 5000;
/** The size of a transaction. */
const BATCH_DOCUMENTS = 100;

export interface AppliedStandings {
  /** Documents that the list names. */
  named: number;
  /** Those whose standing changed, by the new one. */
  changed: Record<Standing, number>;
}

interface IdentifiedRow extends Row, Identified {
  id: string;
  standing: string;
}

/** Gives the documents of public_kb that a list names its standing. A dry run only counts. */
export async function applyStandings(
  standings: Standings,
  { isDryRun }: { isDryRun: boolean },
): Promise<AppliedStandings> {
  const applied: AppliedStandings = {
    named: 0,
    changed: { current: 0, superseded: 0, retracted: 0 },
  };
  for (
    let page = await readFrom("");
    page.length > 0;
    page = await readFrom(page.at(-1)?.id ?? "")
  ) {
    const named = page.flatMap((document) => {
      const standing = standingFor(document, standings);
      return standing ? [{ id: document.id, standing, isNew: standing !== document.standing }] : [];
    });
    applied.named += named.length;
    const changes = Map.groupBy(
      named.filter(({ isNew }) => isNew),
      ({ standing }) => standing,
    );
    for (const [standing, documents] of changes) {
      applied.changed[standing] += documents.length;
      if (!isDryRun) {
        await change(
          documents.map(({ id }) => id),
          standing,
        );
      }
    }
  }
  return applied;
}

async function change(ids: readonly string[], standing: Standing): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH_DOCUMENTS) {
    await transaction(async (tx) => {
      await upsertCollection(tx, PUBLIC_COLLECTION);
      await setStanding(tx, ids.slice(start, start + BATCH_DOCUMENTS), standing);
    });
  }
}

function readFrom(after: string): Promise<IdentifiedRow[]> {
  return query<IdentifiedRow>(
    "documents_identified",
    `SELECT id, standing, url, coalesce(metadata->>'doi', metadata->>'DOI') AS doi,
            coalesce(metadata->>'pmid', metadata->>'PMID') AS pmid, metadata->>'id' AS key
       FROM document WHERE collection_id = $1 AND account_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
    [PUBLIC_COLLECTION.id, PUBLIC_COLLECTION.accountId, after, PAGE_DOCUMENTS],
  );
}
