import type { Args } from "../command/run";
import { UsageError } from "../command/usage-error";

export function auditOptions({ values, positionals }: Args) {
  const { account } = values;
  if (positionals.length > 0 || account === "") {
    throw new UsageError("Name an account if any: npm run billing -- audit --account <id>.");
  }
  return {
    accountId: typeof account === "string" ? account : null,
    isJson: values.json === true,
  };
}

export function reconcileOptions({ values, positionals }: Args) {
  const since = typeof values.since === "string" ? values.since : "";
  const time = /^\d{4}-\d{2}-\d{2}$/.test(since) ? new Date(`${since}T00:00:00Z`) : null;
  if (positionals.length > 0 || !time || time.toJSON()?.slice(0, 10) !== since) {
    throw new UsageError(
      "Name the first day, in UTC: npm run billing -- reconcile --since 2026-11-01.",
    );
  }
  return { since: time, repair: values.repair === true, isJson: values.json === true };
}
