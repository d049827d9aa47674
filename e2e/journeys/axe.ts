import { expect, type Page, test } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

const CONTRAST = "color-contrast";

/**
 * Expects no axe violations on the page, and sufficient contrast in both color schemes. A test that runs in a wide
 * window and on a phone sees the same text and colors twice, so it checks the contrast once.
 */
export async function expectNoFindings(page: Page, where: string): Promise<void> {
  const { tags, project } = test.info();
  if (project.name === "phone" && tags.includes("@phone")) {
    await expectNoFindingsExceptContrast(page, where);
    return;
  }
  expect(await findings(page), where).toEqual([]);
  // Only colors change with the scheme, so check only the contrast again.
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, { runOnly: [CONTRAST] }), `${where}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Expects no axe violations but of contrast, which takes two thirds of the time: for a page whose colors were checked. */
export async function expectNoFindingsExceptContrast(page: Page, where: string): Promise<void> {
  const rules = { [CONTRAST]: { enabled: false } };
  expect(await findings(page, { rules }), where).toEqual([]);
}

/**
 * Waits for animations to end, because axe would see the mixed colors of a fade. Those of scrolling never do, nor those in a
 * closed group, which axe doesn't see.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(
          ({ effect, timeline }) =>
            timeline === document.timeline &&
            effect instanceof KeyframeEffect &&
            effect.target?.checkVisibility() &&
            effect.getTiming().iterations !== Number.POSITIVE_INFINITY,
        )
        .map(({ finished }) => finished),
    ),
  );
}

/** The violated rules and where. Looks twice, because a toast may start to fade during the first look. */
async function findings(page: Page, options: RunOptions = {}): Promise<string[]> {
  await settled(page);
  const found = await violationsOf(page, options);
  if (found.length === 0) {
    return [];
  }
  await settled(page);
  return violationsOf(page, options);
}

/** Checks all rules, unless options name some. */
async function violationsOf(page: Page, options: RunOptions): Promise<string[]> {
  // It isn't injected into frames, and our pages have none.
  expect(page.frames()).toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
  }
  // Preloading downloads every style sheet again, and no rule that applies here needs it.
  const chosen: RunOptions = { resultTypes: ["violations"], preload: false, ...options };
  const violations = await page.evaluate(async (runOptions) => {
    const { axe: injected } = window as unknown as { axe: typeof axe };
    return (await injected.run(document, runOptions)).violations;
  }, chosen);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}
