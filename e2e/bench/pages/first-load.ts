import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "@playwright/test";

/** A page's compressed script bytes, without headers. */
export interface FirstLoad {
  path: string;
  /** Loaded by the document itself, before the reader does anything. */
  first_load_bytes: number;
  first_load_scripts: number;
  /** Loaded when the page became interactive after the reader's first move, including late form code. */
  usable_bytes: number;
  /** All of it, including charts, dialogs and prefetched pages. */
  settled_bytes: number;
}

interface Script {
  file: string;
  finishedAtMs: number;
  bytes: number;
}

/** Only pages whose scripts wait have it as an attribute. */
const WAITING = 'data-scripts-on-use="true"';
const HYDRATION_LIMIT_MS = 30_000;
/** How long scripts that the document doesn't reference are delayed, to see which ones hydration waits for. */
const HOLD_MS = 2500;

/** Loads a page in a new window with an empty cache. Throws on a redirect. */
export async function measureFirstLoad(
  browser: Browser,
  address: URL,
  storageState: BrowserContextOptions["storageState"] | undefined,
): Promise<FirstLoad> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(storageState && { storageState }),
  });
  try {
    const page = await context.newPage();
    const scripts = await watchScripts(await context.newCDPSession(page));
    await page.addInitScript(noteHydration);
    await holdLateScripts(page);
    const document = (await (await page.goto(address.href))?.text()) ?? "";
    const tags = [...document.matchAll(/<script src="([^"]+)"/g)].map(([, src = ""]) =>
      path.basename(src),
    );
    // What loads by itself later, such as charts, counts as well on pages whose scripts wait.
    const waits = document.includes(WAITING);
    if (waits) {
      await page.waitForLoadState("networkidle");
    }
    const early = waits ? [...scripts.values()] : [];
    // Public pages load their scripts when the reader does something.
    await page.evaluate(() => window.dispatchEvent(new Event("pointermove")));
    const hydratedAtMs = await hydration(page);
    await page.waitForLoadState("networkidle");
    if (new URL(page.url()).pathname !== address.pathname) {
      throw new Error(`${address.pathname} led to ${page.url()}`);
    }
    const all = [...scripts.values()];
    const first = all.filter((script) => tags.includes(script.file) || early.includes(script));
    const usable = all.filter(({ finishedAtMs }) => finishedAtMs <= hydratedAtMs);
    return {
      path: address.pathname,
      first_load_bytes: sum(first),
      first_load_scripts: first.length,
      usable_bytes: sum(usable),
      settled_bytes: sum(all),
    };
  } finally {
    await context.close();
  }
}

async function watchScripts(session: CDPSession): Promise<Map<string, Script>> {
  /** Converts the browser's monotonic time to wall time. */
  const pending = new Map<string, { offset: number; file: string; headerBytes: number }>();
  const scripts = new Map<string, Script>();
  session.on("Network.requestWillBeSent", ({ requestId, wallTime, timestamp, type, request }) => {
    const { pathname } = new URL(request.url);
    if (type === "Script" || pathname.endsWith(".js")) {
      const offset = wallTime - timestamp;
      pending.set(requestId, { offset, file: path.basename(pathname), headerBytes: 0 });
    }
  });
  session.on("Network.responseReceived", ({ requestId, response }) => {
    const script = pending.get(requestId);
    if (script) {
      script.headerBytes = response.encodedDataLength;
    }
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    const script = pending.get(requestId);
    if (script) {
      const finishedAtMs = (timestamp + script.offset) * 1000;
      const bytes = encodedDataLength - script.headerBytes;
      scripts.set(requestId, { file: script.file, finishedAtMs, bytes });
    }
  });
  await session.send("Network.enable");
  return scripts;
}

/** Requests before parsing ends come from the document; later ones come from scripts. */
async function holdLateScripts(page: Page): Promise<void> {
  let isParsed = false;
  page.once("domcontentloaded", () => {
    isParsed = true;
  });
  await page.route(/\.js$/, async (route) => {
    await sleep(isParsed ? HOLD_MS : 0);
    await route.continue();
  });
}

/**
 * Runs in the page: records when it has loaded and React has hydrated all controls. Uses no named functions, because
 * the compiler would wrap them in a helper that the page lacks.
 */
function noteHydration(): void {
  const timer = setInterval(() => {
    const main = document.querySelector("main");
    const isHydrated =
      document.readyState === "complete" &&
      main !== null &&
      [main, ...main.querySelectorAll("button, a, input, select, textarea")].every((element) =>
        Object.keys(element).some((name) => name.startsWith("__reactProps$")),
      );
    if (isHydrated) {
      clearInterval(timer);
      Object.assign(window, { footnoteHydratedAt: performance.timeOrigin + performance.now() });
    }
  }, 10);
}

async function hydration(page: Page): Promise<number> {
  const noted = await page.waitForFunction(
    () => (window as { footnoteHydratedAt?: number }).footnoteHydratedAt,
    undefined,
    { timeout: HYDRATION_LIMIT_MS },
  );
  return (await noted.jsonValue()) ?? 0;
}

function sum(scripts: readonly Script[]): number {
  return scripts.reduce((total, { bytes }) => total + bytes, 0);
}
