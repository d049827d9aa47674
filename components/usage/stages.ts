import type { RequestRecord } from "@/lib/money/usage/schema";

/** A part of a request's time, in milliseconds from its start. */
export interface Stage {
  name: string;
  color: string;
  start: number;
  ms: number;
}

const STAGES: Record<string, { name: string; color: string }> = {
  retrieval: { name: "Retrieval", color: "bg-chart-teal" },
  model: { name: "Model", color: "bg-accent" },
  verification: { name: "Verification", color: "bg-chart-violet" },
};
const FIRST_TOKEN = { name: "Model, until the first token", color: "bg-chart-sky" };
const GENERATION = { name: "Model, generation", color: "bg-accent" };
const OTHER = { name: "Other", color: "bg-control" };

type Timed = Pick<RequestRecord, "details" | "latency_ms" | "first_token_ms">;

/**
 * The stages one after the other, as they ran. A stream's model stage is split where its first token came, and what is
 * outside any stage, such as the charge, comes last. Empty if no stage was recorded.
 */
export function stagesOf({ details, latency_ms, first_token_ms }: Timed): Stage[] {
  const timed = details.stages_ms ?? {};
  const known = Object.keys({ ...STAGES, ...timed }).filter((id) => timed[id] !== undefined);
  let start = 0;
  const stages = known.flatMap((id): Stage[] => {
    const stage = { ...(STAGES[id] ?? { name: id, color: "bg-muted" }), start, ms: timed[id] ?? 0 };
    start += stage.ms;
    return id === "model" ? splitAt(first_token_ms, stage) : [stage];
  });
  const rest = latency_ms - start;
  return stages.length > 0 && rest > 0 ? [...stages, { ...OTHER, start, ms: rest }] : stages;
}

function splitAt(firstToken: number | null, stage: Stage): Stage[] {
  const { start, ms } = stage;
  if (firstToken === null || firstToken <= start || firstToken >= start + ms) {
    return [stage];
  }
  return [
    { ...FIRST_TOKEN, start, ms: firstToken - start },
    { ...GENERATION, start: firstToken, ms: start + ms - firstToken },
  ];
}
