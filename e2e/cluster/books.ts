import type pg from "pg";
import { ANSWER_MICROS, type Load } from "./load";

const CHARGED_KINDS = ["plain", "streamed", "cited"];

/** What the database says about everything that the load was told. Lists are of request or job ids, and empty when right. */
export async function readBooks(database: pg.Client, { ended, jobs }: Load) {
  const { rows: records } = await database.query<{ id: string; micros: number; status: number }>(
    "SELECT id, cost_micros::int AS micros, status FROM usage_record WHERE kind IN ('core', 'grounded')",
  );
  const costs = new Map(records.map(({ id, micros }) => [id, micros]));
  const chats = ended.filter(({ kind, requestId }) => requestId && CHARGED_KINDS.includes(kind));
  const idsOf = (list: typeof chats) => list.map(({ requestId }) => requestId);
  const { rows: found } = await database.query<{ id: string; status: string }>(
    "SELECT id, status FROM job WHERE id = ANY($1)",
    [jobs],
  );
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  const read = async (text: string) => (await database.query(text)).rows;
  const [charges] = await read(
    `SELECT (SELECT count(*) FROM usage_record WHERE cost_micros > 0) -
            (SELECT count(*) FROM ledger_entry WHERE kind = 'usage') AS unmatched`,
  );
  return {
    unpaid: chats
      .map((each) => ({ ...each, micros: costs.get(each.requestId ?? "") ?? null }))
      .filter(
        ({ end, kind, micros }) =>
          end === "answered" && (kind === "cited" ? !micros : micros !== ANSWER_MICROS),
      ),
    charged_failures: idsOf(
      chats.filter(({ end, kind, requestId }) => {
        return end === "refused" && kind !== "streamed" && (costs.get(requestId ?? "") ?? 0) > 0;
      }),
    ),
    entries_without_a_record: Number(charges?.unmatched),
    lost_jobs: jobs.filter((id) => !statuses.has(id)),
    failed_jobs: jobs.filter((id) => statuses.has(id) && statuses.get(id) !== "completed"),
    credits: (await read("SELECT 1 FROM ledger_entry WHERE kind = 'top_up'")).length,
    wrong_balances: (
      await read(
        `SELECT 1 FROM account a
          WHERE a.balance_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entry WHERE account_id = a.id)
             OR a.held_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM hold WHERE account_id = a.id AND status = 'open')
             OR a.balance_micros < 0`,
      )
    ).length,
  };
}
