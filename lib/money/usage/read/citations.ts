import "server-only";

import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";

const DAYS = 30;
/** Bounds the work for an account with many requests; a page that nobody waits for isn't worth more. */
const MAX_ANSWERS = 5000;

/** How many of the account's latest cited answers, within thirty days, cite a document. */
export async function countCitingAnswers(ctx: Context, documentId: string): Promise<number> {
  const [row] = await query<{ answers: number }>(
    "billing_count_citations",
    `SELECT count(*)::int AS answers
       FROM (SELECT details FROM usage_record
              WHERE account_id = $1 AND created_at >= now() - make_interval(days => $3) AND kind = 'grounded'
              ORDER BY created_at DESC, id DESC LIMIT $4) AS r
      WHERE r.details->'sources' @> jsonb_build_array(jsonb_build_object('document_id', $2::text, 'cited', true))`,
    [ctx.account.id, documentId, DAYS, MAX_ANSWERS],
  );
  return row?.answers ?? 0;
}
