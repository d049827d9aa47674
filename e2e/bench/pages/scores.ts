import lighthouse, { desktopConfig } from "lighthouse";

export const PRESETS = ["desktop", "mobile"] as const;
type Preset = (typeof PRESETS)[number];

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** Lighthouse's own failures to record a page on a busy machine. */
const FAILED_RECORDING = /^NO_|^PROTOCOL_TIMEOUT$/;
const TRIES = 3;

const METRICS = {
  first_contentful_paint_ms: "first-contentful-paint",
  largest_contentful_paint_ms: "largest-contentful-paint",
  total_blocking_time_ms: "total-blocking-time",
  speed_index_ms: "speed-index",
  cumulative_layout_shift: "cumulative-layout-shift",
  total_bytes: "total-byte-weight",
} as const;

const MEASURES = [
  ...(Object.keys(METRICS) as (keyof typeof METRICS)[]),
  ...(["performance", "accessibility", "best_practices", "seo"] as const),
];
type Measure = (typeof MEASURES)[number];
type Metrics = Record<keyof typeof METRICS, number>;

interface Run extends Metrics {
  performance: number;
  accessibility: number;
  best_practices: number;
  /** Low on purpose where a page must not be indexed. */
  seo: number;
  /** What lowered the scores. */
  findings: string[];
}

/** The median of each measure. */
export interface Score extends Run {
  path: string;
  preset: Preset;
  performance_of_runs: number[];
}

interface Target {
  address: URL;
  preset: Preset;
  /** Of the browser. */
  port: number;
}

/** Scores a page once, or `rounds` times if the first run misses a goal. Throws on a redirect, such as to sign-in. */
export async function scorePage(
  target: Target,
  rounds: number,
  isMissed: (score: Score) => boolean,
): Promise<Score> {
  const runs = [await runOnce(target)];
  while (runs.length < rounds && isMissed(toScore(target, runs.slice(0, 1)))) {
    runs.push(await runOnce(target));
  }
  return toScore(target, runs);
}

function toScore({ address, preset }: Target, runs: readonly Run[]): Score {
  const median = (name: Measure) =>
    runs.map((run) => run[name]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0;
  return {
    path: address.pathname,
    preset,
    ...(Object.fromEntries(MEASURES.map((name) => [name, median(name)])) as Record<
      Measure,
      number
    >),
    findings: [...new Set(runs.flatMap(({ findings }) => findings))],
    performance_of_runs: runs.map(({ performance }) => performance),
  };
}

async function runOnce(target: Target, tries = TRIES): Promise<Run> {
  const { address, preset, port } = target;
  // The cache is cleared before each run, but cookies, and so the session, are kept.
  const ended = await lighthouse(
    address.href,
    // The not-found page has a status of its own.
    {
      ...{ port, logLevel: "error", onlyCategories: CATEGORIES },
      ...{ ignoreStatusCode: true, disableFullPageScreenshot: true },
    },
    preset === "desktop" ? desktopConfig : undefined,
  );
  if (!ended) {
    throw new Error(`Lighthouse gave no result for ${address.pathname}`);
  }
  const { lhr } = ended;
  const { finalDisplayedUrl, runtimeError, categories, audits } = lhr;
  if (FAILED_RECORDING.test(runtimeError?.code ?? "") && tries > 1) {
    return runOnce(target, tries - 1);
  }
  if (runtimeError || new URL(finalDisplayedUrl).pathname !== address.pathname) {
    throw new Error(
      `${address.pathname}: ${runtimeError?.message ?? `led to ${finalDisplayedUrl}`}`,
    );
  }
  const score = (category: string) => Math.round(100 * (categories[category]?.score ?? 0));
  const metrics = Object.entries(METRICS).map(([name, audit]) => [
    name,
    Number(
      (audits[audit]?.numericValue ?? 0).toFixed(audit === METRICS.cumulative_layout_shift ? 3 : 0),
    ),
  ]);
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    best_practices: score("best-practices"),
    seo: score("seo"),
    ...(Object.fromEntries(metrics) as Metrics),
    findings: findingsOf(lhr),
  };
}

/** Scored audits with findings, and Lighthouse's summary of each. */
function findingsOf({
  categories,
  audits,
}: NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"]) {
  return Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      return audit && weight > 0 && audit.score !== null && audit.score < 0.9
        ? [`${id}${audit.displayValue ? `: ${audit.displayValue}` : ""}`]
        : [];
    }),
  );
}
