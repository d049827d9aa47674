import { expect, test } from "@playwright/test";

/** Cumulative layout shift. Up to 0.1 counts as good; these pages shouldn't shift at all. */
const UNNOTICEABLE = 0.005;

test.use({ viewport: { width: 1350, height: 940 } });

for (const path of ["/sign-in", "/join", "/"]) {
  test(`moves nothing on ${path} when its fonts arrive late`, async ({ page }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    await page.route(/\.woff2(\?|$)/, async (route) => {
      held += 1;
      await released;
      await route.continue();
    });
    await page.addInitScript(() => {
      const sum = { shift: 0 };
      Object.assign(window, { sum });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          sum.shift += (entry as PerformanceEntry & { value: number }).value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(path, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(untilDrawn);
    release();
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(untilDrawn);
    expect(held).toBeGreaterThan(0);
    expect(await page.evaluate(() => Reflect.get(window, "sum").shift)).toBeLessThan(UNNOTICEABLE);
  });
}

/** Runs in a page. */
async function untilDrawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) {
    await new Promise(requestAnimationFrame);
  }
}
