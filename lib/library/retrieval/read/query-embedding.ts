import "server-only";

import { toSql } from "pgvector";
import { type Calibration, LEAST_SEPARATION } from "@/lib/library/documents/calibration";
import { readCalibration } from "@/lib/library/documents/read/calibration";
import { type Embedder, embedder, queryCircuit, raceAbort } from "@/lib/models/embedding";
import type { Verdict } from "@/lib/models/vendor/circuit";
import type { Context } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import type { Notice } from "../schema";
import { stage } from "../stage";

/** Of the deadline: the rest is for the search by words, which doesn't depend on the model. */
export const QUERY_SHARE = 0.5;

const REASONS = {
  late: "did not answer in time",
  failed: "could not be used",
  paused: "has kept failing and was not asked",
};

function vectorsSkipped(reason: keyof typeof REASONS): Notice {
  return {
    code: "vectors_skipped",
    message: `The embedding model ${REASONS[reason]}, so the search was by words alone. Passages that say the same in other words may be missing.`,
  };
}

type QueryModel = Embedder & { calibration: Calibration };

/** What one search asks of the embedding model. If the model fails or is late, the search goes on without. */
export function beginQueryEmbedding(
  { requestId }: Pick<Context, "requestId">,
  signal: AbortSignal,
) {
  const circuit = queryCircuit();
  const bounded = AbortSignal.any([
    signal,
    AbortSignal.timeout(Math.ceil(env.RETRIEVAL_DEADLINE_MS * QUERY_SHARE)),
  ]);
  const notices: Notice[] = [];

  /** Null when the work fails, or the model has failed too often to wait for it again. */
  const attempt = async <T>(success: Verdict, work: () => Promise<T>): Promise<T | null> => {
    if (!circuit.allowsCall()) {
      notices.push(vectorsSkipped("paused"));
      return null;
    }
    const end = circuit.begin("");
    try {
      const result = await raceAbort(bounded, work());
      end(success);
      return result;
    } catch (cause) {
      end(signal.aborted ? null : "failed");
      signal.throwIfAborted();
      const model = env.EMBEDDING_MODEL;
      log.warn({ err: cause, model, request_id: requestId }, "vectors skipped");
      const isLate = cause instanceof Error && cause.name === "TimeoutError";
      notices.push(vectorsSkipped(isLate ? "late" : "failed"));
      return null;
    }
  };

  return {
    notices: notices as readonly Notice[],
    /**
     * The configured model. Null without one, until its space is calibrated, and if it doesn't tell passages apart:
     * then words decide alone.
     */
    open: async (): Promise<QueryModel | null> => {
      const model = await attempt(null, () => embedder(bounded));
      const calibration = model && (await readCalibration(model.space));
      const isUsable = calibration && calibration.separation >= LEAST_SEPARATION;
      return model && isUsable ? { ...model, calibration } : null;
    },
    embed: (model: QueryModel, query: string) =>
      attempt("working", () =>
        stage("embedding", async () => {
          const { space, dimensions, calibration } = model;
          const vector = await model.embedQuery(query, bounded);
          return { space, dimensions, calibration, sql: toSql(Array.from(vector)) };
        }),
      ),
  };
}
