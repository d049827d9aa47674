import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { request } from "@playwright/test";
import { ensureBrowser } from "@/scripts/browser.mjs";
import { openBrowser, setCookies, signInWith } from "./pages/browser";
import { type FirstLoad, measureFirstLoad } from "./pages/first-load";
import { NOT_FOUND, type PagePath, pagePaths } from "./pages/paths";
import { openProduct, type Product } from "./pages/product";
import { PRESETS, type Score, scorePage } from "./pages/scores";
import { toTable } from "./shared/table";

interface PageLoad {
  page: PagePath;
  load: FirstLoad;
}

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const ROWS = { documents: 1000, records: 10_000 };
/** Of the console; public pages are scored all. */
const SCORED = ["/overview", "/playground"];
/** `desktop` and `mobile` are the performance of public pages, `seo` is of those in the sitemap. */
const GOAL = { desktop: 99, mobile: 95, accessibility: 100, best_practices: 100, seo: 100 };
const MAX_LAYOUT_SHIFT = 0.02;
/** First-load scripts, in kB. */
const BUDGET = { public: 100, console: 180 };
/** Pages such as "/,/join", or "all"; by default all but those of the documentation that have the same template. */
const CHOSEN = (process.env.FOOTNOTE_BENCH_PAGES ?? "").split(",").filter(Boolean);

/**
 * Lighthouse scores and first-load scripts of the built product, for an account with 10,000 usage records and 1,000
 * documents, in this machine's Chromium. A page that misses a goal is scored FOOTNOTE_BENCH_ROUNDS times (3), and its
 * medians count; 0 measures the scripts alone.
 */
export async function run(): Promise<{ table: string; result: object; missed?: string[] }> {
  const executable = await ensureBrowser(log).catch((error: Error) => error);
  if (executable instanceof Error) {
    const skipped = `no Chromium: ${executable.message}`;
    return { table: `skipped: ${skipped}`, result: { skipped } };
  }
  const { stdout: version } = await promisify(execFile)(executable, ["--version"]);
  const [load = 0] = os.loadavg();
  const product = await openProduct(ROWS);
  try {
    const { loads, scores, missed } = await measure(executable, product);
    return {
      table: [ROUNDS > 0 && scoreTable(scores), loadTable(loads), formatLoad(load)]
        .filter(Boolean)
        .join("\n\n"),
      result: {
        ...{ chromium: version.trim(), rounds: ROUNDS, load_average_before: load },
        ...{ documents: ROWS.documents, usage_records: ROWS.records },
        ...{ scores, first_loads: loads.map((each) => each.load), missed },
      },
      missed,
    };
  } finally {
    await product.close();
  }
}

async function measure(executable: string, product: Product) {
  const browser = await openBrowser(executable);
  try {
    const { loads, cookies } = await measureLoads(browser, product);
    const missed = loads.flatMap(heavyScripts);
    const scores: Score[] = [];
    const scored = loads.filter(({ page }) => page.isPublic || SCORED.includes(page.path));
    for (const { page } of ROUNDS > 0 ? scored : []) {
      await setCookies(browser, page.isPublic ? [] : cookies);
      for (const preset of PRESETS) {
        const target = { address: new URL(page.path, product.url), preset, port: browser.port };
        const misses = (score: Score) => missedGoals(score, page);
        const score = await scorePage(target, ROUNDS, (each) => misses(each).length > 0);
        log(JSON.stringify(score));
        scores.push(score);
        missed.push(...misses(score));
      }
    }
    return { loads, scores, missed };
  } finally {
    await browser.close();
  }
}

async function measureLoads(window: Awaited<ReturnType<typeof openBrowser>>, product: Product) {
  const { browser, state } = await signInWith(window, product);
  const member = await request.newContext({ storageState: state });
  const all = await pagePaths(member, product.url);
  await member.dispose();
  const loads: PageLoad[] = [];
  for (const page of all.filter(isChosen)) {
    const session = page.isPublic ? undefined : state;
    const load = await measureFirstLoad(browser, new URL(page.path, product.url), session);
    loads.push({ page, load });
  }
  await browser.close();
  return { loads, cookies: state.cookies };
}

function isChosen({ path, isSample }: PagePath): boolean {
  const [pathname = ""] = path.split(/[?#]/, 1);
  return CHOSEN.length === 0 ? isSample : CHOSEN.includes("all") || CHOSEN.includes(pathname);
}

function missedGoals(score: Score, { isPublic, isListed }: PagePath): string[] {
  const { path, preset, cumulative_layout_shift: shift } = score;
  const isMissed = {
    performance: isPublic && score.performance < GOAL[preset],
    accessibility: score.accessibility < GOAL.accessibility,
    // The console reports the status of the not-found page.
    best_practices: path !== NOT_FOUND && score.best_practices < GOAL.best_practices,
    seo: isListed && score.seo < GOAL.seo,
  };
  const { findings } = score;
  return [
    ...Object.entries(isMissed).filter(([, missed]) => missed),
    ...(shift > MAX_LAYOUT_SHIFT ? [["layout shift"]] : []),
  ].map(([name]) => `${path}, ${preset}: ${name} (${findings.join("; ")})`);
}

function heavyScripts({ page, load }: PageLoad): string[] {
  const isHeavy = load.first_load_bytes > 1000 * budgetOf(page);
  return isHeavy ? [`${load.path}: scripts (${load.first_load_bytes} bytes)`] : [];
}

function budgetOf({ isPublic }: PagePath): number {
  return isPublic ? BUDGET.public : BUDGET.console;
}

function scoreTable(scores: readonly Score[]): string {
  const rows = [...new Set(scores.map(({ path }) => path))].map((path) => {
    const [desktop, mobile] = PRESETS.map((preset) =>
      scores.find((score) => score.path === path && score.preset === preset),
    );
    const both = (name: keyof Score) => `${desktop?.[name]} / ${mobile?.[name]}`;
    return [
      ...[path, both("performance"), [desktop, mobile].map(runsOf).join(" / ")],
      ...[both("accessibility"), both("best_practices"), both("seo")],
      ...[both("first_contentful_paint_ms"), both("largest_contentful_paint_ms")],
      ...[both("total_blocking_time_ms"), both("cumulative_layout_shift")],
      [desktop, mobile].map((score) => kilobytes(score?.total_bytes ?? 0)).join(" / "),
    ];
  });
  const goals = [
    ...["goal", `≥ ${GOAL.desktop} / ≥ ${GOAL.mobile}`, ""],
    ...[GOAL.accessibility, GOAL.best_practices, GOAL.seo],
    ...["", "", "", `≤ ${MAX_LAYOUT_SHIFT}`, ""],
  ];
  return toTable(
    [
      ...["desktop / mobile", "performance", "runs", "accessibility", "best practices", "SEO"],
      ...["first paint, ms", "largest paint, ms", "blocked, ms", "layout shift", "kB"],
    ],
    [...rows, goals],
  );
}

function runsOf(score: Score | undefined): number {
  return score?.performance_of_runs.length ?? 0;
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

/** Scores depend on the machine: other work blocks the page like its own scripts. */
function formatLoad(load: number): string {
  const cores = os.availableParallelism();
  return load > cores / 2
    ? `Measured on a busy machine (load ${load.toFixed(1)} on ${cores} cores): performance scores are too low.`
    : "";
}

function loadTable(loads: readonly PageLoad[]): string {
  const rows = loads.map(({ page, load }) => [
    ...[load.path, kilobytes(load.first_load_bytes), load.first_load_scripts],
    ...[kilobytes(load.usable_bytes), kilobytes(load.settled_bytes), `≤ ${budgetOf(page)}`],
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
