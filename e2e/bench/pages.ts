import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { ensureBrowser } from "@/scripts/browser.mjs";
import { openBrowser, signInWith } from "./pages/browser";
import { type FirstLoad, measureFirstLoad } from "./pages/first-load";
import { openProduct, type Product } from "./pages/product";
import { PRESETS, type Score, scorePage } from "./pages/scores";
import { toTable } from "./shared/table";

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const ROWS = { documents: 1000, records: 10_000 };
const SCORED = ["/", "/docs", "/docs/citations", "/overview", "/playground"];
const LOADED = [
  ...["/", "/pricing", "/docs", "/docs/citations", "/docs/api", "/sign-in", "/sign-up"],
  ...["/overview", "/playground", "/keys", "/documents", "/usage", "/billing", "/settings"],
];
const GOAL = { performance: 95, accessibility: 100, kilobytes: 180 };

/**
 * Lighthouse scores and first-load scripts of the built product, for an account with 10,000 usage records and 1,000
 * documents, in this machine's Chromium. FOOTNOTE_BENCH_ROUNDS sets the runs per score.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const executable = await ensureBrowser(log).catch((error: Error) => error);
  if (executable instanceof Error) {
    const skipped = `no Chromium: ${executable.message}`;
    return { table: `skipped: ${skipped}`, result: { skipped } };
  }
  const { stdout: version } = await promisify(execFile)(executable, ["--version"]);
  const [load = 0] = os.loadavg();
  const product = await openProduct(ROWS);
  try {
    const { loads, scores } = await measure(executable, product);
    return {
      table: [scoreTable(scores), loadTable(loads), formatLoad(load)].filter(Boolean).join("\n\n"),
      result: {
        ...{ chromium: version.trim(), rounds: ROUNDS, load_average_before: load },
        ...{ documents: ROWS.documents, usage_records: ROWS.records },
        ...{ scores, first_loads: loads },
      },
    };
  } finally {
    await product.close();
  }
}

async function measure(executable: string, product: Product) {
  const browser = await openBrowser(executable);
  try {
    const loads = await measureLoads(browser, product);
    const scores: Score[] = [];
    for (const path of SCORED) {
      for (const preset of PRESETS) {
        const address = new URL(path, product.url);
        const score = await scorePage({ address, preset, port: browser.port }, ROUNDS);
        log(JSON.stringify(score));
        scores.push(score);
      }
    }
    return { loads, scores };
  } finally {
    await browser.close();
  }
}

/** Also signs in: later pages use the browser's session. */
async function measureLoads(
  window: Awaited<ReturnType<typeof openBrowser>>,
  product: Product,
): Promise<FirstLoad[]> {
  const { browser, state } = await signInWith(window, product);
  const loads: FirstLoad[] = [];
  for (const path of LOADED) {
    const session = path.startsWith("/sign-") ? undefined : state;
    loads.push(await measureFirstLoad(browser, new URL(path, product.url), session));
  }
  await browser.close();
  return loads;
}

function scoreTable(scores: readonly Score[]): string {
  const rows = SCORED.map((path) => {
    const [desktop, mobile] = PRESETS.map((preset) =>
      scores.find((score) => score.path === path && score.preset === preset),
    );
    const both = (name: keyof Score) => `${desktop?.[name]} / ${mobile?.[name]}`;
    return [
      ...[path, both("performance"), both("best_performance"), both("accessibility")],
      ...[both("first_contentful_paint_ms"), both("largest_contentful_paint_ms")],
      ...[both("total_blocking_time_ms"), both("cumulative_layout_shift")],
    ];
  });
  const goals = ["goal", `≥ ${GOAL.performance}`, "", `${GOAL.accessibility}`, "", "", "", ""];
  return toTable(
    [
      ...["desktop / mobile", "performance, median", "best run", "accessibility"],
      ...["first paint, ms", "largest paint, ms", "blocked, ms", "layout shift"],
    ],
    [...rows, goals],
  );
}

/** Scores depend on the machine: other work blocks the page like its own scripts. */
function formatLoad(load: number): string {
  const cores = os.availableParallelism();
  return load > cores / 2
    ? `Measured on a busy machine (load ${load.toFixed(1)} on ${cores} cores): performance scores are too low.`
    : "";
}

function loadTable(loads: readonly FirstLoad[]): string {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  const rows = loads.map((load) => [
    ...[load.path, kilobytes(load.first_load_bytes), load.first_load_scripts],
    ...[kilobytes(load.usable_bytes), kilobytes(load.settled_bytes)],
  ]);
  return toTable(
    ["JavaScript", "first load, kB", "scripts", "until interactive, kB", "with lazy chunks, kB"],
    [...rows, ["goal", `≤ ${GOAL.kilobytes}`, "", "", ""]],
  );
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
