import "server-only";

import { type Embedder, embedder } from "@/lib/models/embedding";
import { withAdvisoryLock } from "@/lib/platform/db/advisory-lock";
import { query, type Row } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { sentenceRanges } from "@/lib/text/sentences";
import { type Calibration, calibrate, LEAST_SEPARATION, type Sentence } from "../calibration";
import { forgetCalibration } from "../read/calibration";

/** With 200 sentences and passages, a passage's distance from the mean is known to about a tenth of a deviation. */
const PASSAGES = 200;
const SENTENCES = 200;
/** With fewer, nothing can be told. */
const LEAST = 20;
const MOST_FAILURES = 10;
/** Passages looked at for each that is chosen, so that a sample of a million reads only some of them. */
const LOOKED_AT = 100;
/** A space is calibrated again when its passages have grown by this factor. */
const GROWTH = 1.5;
/** In characters. */
const SHORT = 30;
const LONG = 300;

interface Options {
  /** `missing`: only a space without a calibration; `grown`: also one whose passages have grown; `always`. */
  when: "missing" | "grown" | "always";
}

/**
 * Measures how the configured model's cosines spread over the stored passages: sentences of some of them, embedded as
 * queries, against all of them. Returns null without a model that answers, while another process does it, if it isn't
 * due, or with too few passages to tell. Throws if the model stops answering.
 */
export async function calibrateSpace({ when }: Options): Promise<Calibration | null> {
  const model = await embedder(new AbortController().signal).catch(() => null);
  if (!model || !(await isDue(model.space, when))) {
    return null;
  }
  return withAdvisoryLock("calibration", () => measureSpace(model, when));
}

async function isDue(space: string, when: Options["when"]): Promise<boolean> {
  if (when === "always") {
    return true;
  }
  const [known] = await query<{ passages: number }>(
    "documents_calibrated_passages",
    "SELECT passages FROM vector_space WHERE space = $1",
    [space],
  );
  const isGrown = async (passages: number) => (await countPassages()) > GROWTH * passages;
  return !known || (when === "grown" && isGrown(known.passages));
}

async function measureSpace(model: Embedder, when: Options["when"]): Promise<Calibration | null> {
  const { space } = model;
  const passages = await samplePassages(space);
  if (passages.length < LEAST) {
    return null;
  }
  const sentences = await embedSentences(model, passages);
  if (sentences.length < LEAST) {
    return null;
  }
  const calibration = await calibrate(
    sentences,
    passages.map(({ vector }) => vector),
  );
  // Before a new model's vectors are complete, only the sample counts, so that it is calibrated again afterwards.
  const counted = when === "missing" ? passages.length : await countPassages();
  await store(space, calibration, counted);
  if (calibration.separation < LEAST_SEPARATION) {
    log.warn(
      { space, ...calibration },
      "the embedding model doesn't tell passages apart, so searches are by words alone",
    );
  } else {
    log.info({ space, ...calibration }, "calibrated the embedding space");
  }
  return calibration;
}

async function countPassages(): Promise<number> {
  const [row] = await query<{ passages: number }>(
    "documents_count_passages",
    "SELECT least(coalesce(sum(chunk_count), 0), 2147483647)::int AS passages FROM collection",
  );
  return row?.passages ?? 0;
}

interface SampledPassage {
  text: string;
  vector: Float32Array;
}

/** The same in every run. No collection has many more of them than another, so that none decides for all. */
async function samplePassages(space: string): Promise<SampledPassage[]> {
  const rows = await query<Row & { text: string; embedding: string }>(
    "documents_sample_passages",
    `WITH chosen AS (SELECT id, account_id, ceil($2::float / count(*) OVER ())::int AS share FROM
            (SELECT o.id, o.account_id FROM collection o WHERE EXISTS
               (SELECT 1 FROM chunk_vector v
                 WHERE v.collection_id = o.id AND v.account_id = o.account_id AND v.space = $1)
              ORDER BY md5(o.id) LIMIT $2::int) AS filled)
     SELECT c.text, near.embedding::text AS embedding
       FROM chosen, LATERAL (SELECT * FROM (SELECT chunk_id, account_id, embedding FROM chunk_vector
              WHERE collection_id = chosen.id AND account_id = chosen.account_id AND space = $1 LIMIT chosen.share * $3::int) AS looked_at
            ORDER BY md5(chunk_id) LIMIT chosen.share) AS near
       JOIN chunk c ON c.id = near.chunk_id AND c.account_id = near.account_id
      ORDER BY md5(c.id) LIMIT $2::int`,
    [space, PASSAGES, LOOKED_AT],
  );
  return rows.map(({ text, embedding }) => ({
    text,
    vector: Float32Array.from(JSON.parse(embedding) as number[]),
  }));
}

/** One of each passage first, then others. Leaves out what the model refuses, and ends early if it keeps failing. */
async function embedSentences(
  model: Embedder,
  passages: readonly SampledPassage[],
): Promise<Sentence[]> {
  const { signal } = new AbortController();
  const texts = passages.map(({ text }) => sentencesOf(text));
  const most = Math.max(...texts.map(({ length }) => length));
  const chosen = Array.from({ length: most }, (_, nth) =>
    texts.flatMap((each, from) => {
      const text = each[nth];
      return text === undefined ? [] : [{ text, from }];
    }),
  ).flat();
  const sentences: Sentence[] = [];
  let failures = 0;
  for (const { text, from } of chosen.slice(0, SENTENCES)) {
    try {
      sentences.push({ vector: await model.embedQuery(text, signal), from });
    } catch (cause) {
      failures += 1;
      if (failures > MOST_FAILURES && sentences.length < LEAST) {
        throw cause;
      }
      if (failures > MOST_FAILURES) {
        break;
      }
    }
  }
  return sentences;
}

/** A passage's sentences from the middle on, or how it begins if it has none of a usual length. */
function sentencesOf(text: string): string[] {
  const all = sentenceRanges(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter(({ length }) => length >= SHORT && length <= LONG);
  const middle = Math.floor(all.length / 2);
  const ordered = [...all.slice(middle), ...all.slice(0, middle)];
  return ordered.length > 0 ? ordered : [text.slice(0, LONG).toWellFormed()];
}

async function store(space: string, calibration: Calibration, passages: number): Promise<void> {
  const { mean, deviation, separation } = calibration;
  await query(
    "documents_store_calibration",
    `INSERT INTO vector_space (space, mean, deviation, separation, passages) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (space) DO UPDATE SET mean = excluded.mean, deviation = excluded.deviation,
       separation = excluded.separation, passages = excluded.passages, calibrated_at = now()`,
    [space, mean, deviation, separation, passages],
  );
  forgetCalibration(space);
}
