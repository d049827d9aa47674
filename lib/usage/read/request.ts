import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { UsageDetails } from "@/lib/billing/schema";
import { query } from "@/lib/db/client";
import { chargeOf } from "@/lib/usage/read/charge";
import type { RequestRecord, SourceUsed } from "../schema";
import { LOGGED_COLUMNS, type LoggedRow, toLoggedRequest } from "./requests";

interface RecordRow extends LoggedRow {
  rate: unknown;
  details: unknown;
  key_display: string | null;
  is_playground: boolean;
}

/** One request of the account; null when there is none of this id, or when it is another account's. */
export async function findRequest(ctx: MemberContext, id: string): Promise<RequestRecord | null> {
  const [row] = await query<RecordRow>(
    "billing_find_request",
    `SELECT ${LOGGED_COLUMNS}, r.rate, r.details, k.prefix || '…' || k.last_four AS key_display,
            coalesce(k.purpose = 'playground', false) AS is_playground
       FROM usage_record r LEFT JOIN api_key k ON k.id = r.key_id AND k.account_id = $1
      WHERE r.id = $2 AND r.account_id = $1`,
    [ctx.account.id, id],
  );
  if (!row) {
    return null;
  }
  const { sources = [], ...details } = UsageDetails.safeParse(row.details).data ?? {};
  return {
    ...toLoggedRequest(row),
    key_display: row.is_playground ? null : row.key_display,
    is_playground: row.is_playground,
    charge: chargeOf({
      rate: row.rate,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      costMicros: row.cost_micros,
    }),
    sources: await readSources(ctx, sources),
    details,
  };
}

interface DocumentRow extends Record<string, unknown> {
  id: string;
  /** Null when the member may not see the document. */
  title: string | null;
}

/** What is still known of the sources: a title only where the member might open the document. */
async function readSources(
  { account, actor }: MemberContext,
  sources: NonNullable<UsageDetails["sources"]>,
): Promise<SourceUsed[]> {
  const ids = [...new Set(sources.map(({ document_id }) => document_id))];
  const rows =
    ids.length === 0
      ? []
      : await query<DocumentRow>(
          "billing_source_titles",
          `SELECT d.id, CASE WHEN c.scope = 'public_kb'
                               OR c.scope = 'customer_kb' AND c.account_id = $1
                               OR c.scope = 'personal_kb' AND c.account_id = $1
                                  AND p.kind = 'member' AND p.reference = $2
                             THEN d.title END AS title
             FROM document d JOIN collection c ON c.id = d.collection_id
                  LEFT JOIN person p ON p.id = c.person_id
            WHERE d.id = ANY ($3) AND (c.scope = 'public_kb' OR c.account_id = $1)`,
          [account.id, actor.id, ids],
        );
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return sources.map(({ document_id, chunk_id: _, ...source }) => {
    const title = titles.get(document_id);
    return {
      ...source,
      state: stateOf(title),
      document_id: title == null ? null : document_id,
      title: title ?? null,
    };
  });
}

function stateOf(title: string | null | undefined): SourceUsed["state"] {
  if (title === undefined) {
    return "deleted";
  }
  return title === null ? "personal" : "visible";
}
