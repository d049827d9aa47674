import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { request } from "@playwright/test";
import { ensureBrowser } from "@/scripts/browser.mjs";
import { openBrowser, setCookies, signInWith } from "./pages/browser";
import { type FirstLoad, measureFirstLoad } from "./pages/first-load";
import { pagePaths } from "./pages/paths";
import { openProduct, type Product } from "./pages/product";
import { PRESETS, type Score, scorePage } from "./pages/scores";
import { toTable } from "./shared/table";

type PageLoad = FirstLoad & { isPublic: boolean };

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const ROWS = { documents: 1000, records: 10_000 };
/** Of the console; public pages are scored all. */
const SCORED = ["/overview", "/playground"];
const GOAL = { performance: 95, accessibility: 100 };
/** First-load scripts, in kB. */
const BUDGET = { public: 100, console: 180, link: 165 };
/** They read the token of the link that opens them, so their scripts can't wait. */
const LINK_PAGES = ["/join", "/reset-password", "/confirm-email"];

/**
 * Lighthouse scores and first-load scripts of the built product, for an account with 10,000 usage records and 1,000
 * documents, in this machine's Chromium. Throws when a page's scripts exceed their budget. FOOTNOTE_BENCH_ROUNDS sets
 * the runs per score; 0 measures the scripts alone.
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
    const heavy = loads.filter((load) => load.first_load_bytes > 1000 * budgetOf(load));
    if (heavy.length > 0) {
      throw new Error(`scripts exceed their budget:\n${loadTable(heavy)}`);
    }
    return {
      table: [ROUNDS > 0 && scoreTable(scores), loadTable(loads), formatLoad(load)]
        .filter(Boolean)
        .join("\n\n"),
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
    const { loads, cookies } = await measureLoads(browser, product);
    const scores: Score[] = [];
    const scored = loads.filter(({ path, isPublic }) => isPublic || SCORED.includes(path));
    for (const { path, isPublic } of ROUNDS > 0 ? scored : []) {
      await setCookies(browser, isPublic ? [] : cookies);
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

/** Signs in, and returns the session's cookies as well. */
async function measureLoads(window: Awaited<ReturnType<typeof openBrowser>>, product: Product) {
  const { browser, state } = await signInWith(window, product);
  const member = await request.newContext({ storageState: state });
  const paths = await pagePaths(member, product.url);
  await member.dispose();
  const loads: PageLoad[] = [];
  for (const { path, isPublic } of paths) {
    const session = isPublic ? undefined : state;
    const load = await measureFirstLoad(browser, new URL(path, product.url), session);
    loads.push({ ...load, isPublic });
  }
  await browser.close();
  return { loads, cookies: state.cookies };
}

function budgetOf({ path, isPublic }: PageLoad): number {
  if (LINK_PAGES.includes(path)) {
    return BUDGET.link;
  }
  return isPublic ? BUDGET.public : BUDGET.console;
}

function scoreTable(scores: readonly Score[]): string {
  const rows = [...new Set(scores.map(({ path }) => path))].map((path) => {
    const [desktop, mobile] = PRESETS.map((preset) =>
      scores.find((score) => score.path === path && score.preset === preset),
    );
    const both = (name: keyof Score) => `${desktop?.[name]} / ${mobile?.[name]}`;
    return [
      ...[path, both("performance"), both("best_performance"), both("accessibility"), both("seo")],
      ...[both("first_contentful_paint_ms"), both("largest_contentful_paint_ms")],
      ...[both("total_blocking_time_ms"), both("cumulative_layout_shift")],
    ];
  });
  const goals = ["goal", `≥ ${GOAL.performance}`, "", `${GOAL.accessibility}`, "", "", "", "", ""];
  return toTable(
    [
      ...["desktop / mobile", "performance, median", "best run", "accessibility", "SEO"],
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

function loadTable(loads: readonly PageLoad[]): string {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  const rows = loads.map((load) => [
    ...[load.path, kilobytes(load.first_load_bytes), load.first_load_scripts],
    ...[kilobytes(load.usable_bytes), kilobytes(load.settled_bytes), `≤ ${budgetOf(load)}`],
  ]);
  return toTable(
    [
      ...["JavaScript", "first load, kB", "scripts", "until interactive, kB"],
      ...["with lazy chunks, kB", "goal"],
    ],
    rows,
  );
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
