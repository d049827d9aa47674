import "server-only";

import { stringify } from "csv-stringify/sync";
import type { Context } from "@/lib/auth/context";
import { MAX_EXPORTED, type UsageFilter } from "../filter";
import { LoggedRequest } from "../schema";
import { listRequests } from "./requests";

/** Small enough for the embedded database, which shares this thread with other requests. */
const BATCH = 1000;

/**
 * The account's requests as CSV (RFC 4180, UTF-8), newest first, in batches, at most 100,000. Throws invalid_request for a
 * range that is backwards or too long.
 */
export async function* exportRequests(ctx: Context, filter: UsageFilter): AsyncGenerator<string> {
  let after: string | undefined;
  for (let written = 0; written < MAX_EXPORTED && !ctx.signal.aborted; written += BATCH) {
    const page = await listRequests(ctx, { ...filter, after, limit: BATCH });
    yield toCsv(page.data, written === 0);
    if (!page.next_cursor) {
      return;
    }
    after = page.next_cursor;
  }
}

function toCsv(requests: readonly LoggedRequest[], hasHeader: boolean): string {
  const rows = requests.map(({ warnings, ...request }) => ({
    ...request,
    warnings: warnings.join(" "),
  }));
  return stringify(rows, {
    columns: Object.keys(LoggedRequest.shape),
    header: hasHeader,
    record_delimiter: "windows",
    quote_record_delimiter: true,
    // Users choose key names: a spreadsheet must not run one as a formula.
    escape_formulas: true,
  });
}
