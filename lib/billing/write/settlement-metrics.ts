import "server-only";

import type { Attributes } from "@opentelemetry/api";
import { addLogField } from "@/lib/http/log-context";
import { metrics } from "@/lib/metrics";
import type { Micros } from "../money";

/** What is told of a usage record. */
interface Settled {
  model: string | null;
  kind: string;
  promptTokens: number;
  completionTokens: number;
  passages: number | null;
  warningCodes: readonly string[];
  firstTokenMs: number | null;
}

/** Says of a request what it used and was charged, in its log line and in the metrics. */
export function recordSettlementMetrics(usage: Settled, charged: Micros): void {
  addLogField({
    model: usage.model,
    kind: usage.kind,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_micros: Number(charged),
    passages: usage.passages,
    first_token_ms: usage.firstTokenMs,
    ...(usage.warningCodes.length > 0 && { warnings: usage.warningCodes }),
  });
  countSettled(usage, charged);
}

/** As `recordSettlementMetrics`, for what no request waits for. */
export function countSettled(usage: Settled, charged: Micros): void {
  const counted = metrics();
  if (!counted) {
    return;
  }
  const attributes: Attributes = { kind: usage.kind };
  if (usage.model) {
    attributes["gen_ai.request.model"] = usage.model;
  }
  counted.holds.add(1, { outcome: charged > 0n ? "charged" : "not_charged" });
  if (charged > 0n) {
    counted.cost.add(Number(charged), attributes);
    counted.tokens.add(usage.promptTokens, { ...attributes, "gen_ai.token.type": "input" });
    counted.tokens.add(usage.completionTokens, { ...attributes, "gen_ai.token.type": "output" });
  }
  if (usage.firstTokenMs !== null) {
    counted.firstToken.record(usage.firstTokenMs / 1000, attributes);
  }
}
