import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { request } from "@playwright/test";
import { ensureBrowser } from "@/scripts/browser.mjs";
import { openBrowser, setCookies, signInWith } from "./pages/browser";
import { type FirstLoad, measureFirstLoad } from "./pages/first-load";
import { NOT_FOUND, pagePaths } from "./pages/paths";
import { openProduct, type Product } from "./pages/product";
import { PRESETS, type Score, scorePage } from "./pages/scores";
import { toTable } from "./shared/table";

/** `target`: the path with what its link has after it. */
type PageLoad = FirstLoad & { isPublic: boolean; target: string };

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const ROWS = { documents: 1000, records: 10_000 };
/** Of the console; public pages are scored all. */
const SCORED = ["/overview", "/playground"];
const GOAL = { desktop: 99, mobile: 95, accessibility: 100, best_practices: 100 };
const MAX_LAYOUT_SHIFT = 0.02;
/** First-load scripts, in kB. */
const BUDGET = { public: 100, console: 180 };
/** Only these pages, such as "/,/join"; all of them if empty. */
const CHOSEN = (process.env.FOOTNOTE_BENCH_PAGES ?? "").split(",").filter(Boolean);

/**
 * Lighthouse scores and first-load scripts of the built product, for an account with 10,000 usage records and 1,000
 * documents, in this machine's Chromium. Throws when a page's scripts exceed their budget, when its layout shifts, or when
 * its accessibility or best practices aren't perfect: none of these depends on the machine. FOOTNOTE_BENCH_ROUNDS sets
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
    rejectFaults(loads, scores);
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
    for (const { target, isPublic } of ROUNDS > 0 ? scored : []) {
      await setCookies(browser, isPublic ? [] : cookies);
      for (const preset of PRESETS) {
        const address = new URL(target, product.url);
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
  const all = await pagePaths(member, product.url);
  await member.dispose();
  const loads: PageLoad[] = [];
  const chosen = all.filter(({ path }) => CHOSEN.length === 0 || CHOSEN.includes(pathnameOf(path)));
  for (const { path, isPublic } of chosen) {
    const session = isPublic ? undefined : state;
    const load = await measureFirstLoad(browser, new URL(path, product.url), session);
    loads.push({ ...load, isPublic, target: path });
  }
  await browser.close();
  return { loads, cookies: state.cookies };
}

function pathnameOf(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? "";
}

/** What doesn't depend on the machine. */
function rejectFaults(loads: readonly PageLoad[], scores: readonly Score[]): void {
  const heavy = loads.filter((load) => load.first_load_bytes > 1000 * budgetOf(load));
  const faulty = scores.filter(
    (score) =>
      score.cumulative_layout_shift > MAX_LAYOUT_SHIFT ||
      score.accessibility < GOAL.accessibility ||
      // The console reports the status of the not-found page.
      (score.best_practices < GOAL.best_practices && score.path !== NOT_FOUND),
  );
  const paths = new Set([...heavy, ...faulty].map(({ path }) => path));
  if (paths.size > 0) {
    const tables = [scoreTable(scores), loadTable(loads)].join("\n\n");
    throw new Error(`pages miss their goals: ${[...paths].join(", ")}\n\n${tables}`);
  }
}

function budgetOf({ isPublic }: PageLoad): number {
  return isPublic ? BUDGET.public : BUDGET.console;
}

function scoreTable(scores: readonly Score[]): string {
  const rows = [...new Set(scores.map(({ path }) => path))].map((path) => {
    const [desktop, mobile] = PRESETS.map((preset) =>
      scores.find((score) => score.path === path && score.preset === preset),
    );
    const both = (name: keyof Score) => `${desktop?.[name]} / ${mobile?.[name]}`;
    return [
      ...[path, both("performance"), both("best_performance")],
      ...[both("accessibility"), both("best_practices"), both("seo")],
      ...[both("first_contentful_paint_ms"), both("largest_contentful_paint_ms")],
      ...[both("total_blocking_time_ms"), both("cumulative_layout_shift")],
    ];
  });
  const goals = [
    ...["goal", `≥ ${GOAL.desktop} / ≥ ${GOAL.mobile}`, ""],
    ...[`${GOAL.accessibility}`, `${GOAL.best_practices}`],
    ...["", "", "", "", `≤ ${MAX_LAYOUT_SHIFT}`],
  ];
  return toTable(
    [
      ...["desktop / mobile", "performance, median", "best run"],
      ...["accessibility", "best practices", "SEO"],
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
