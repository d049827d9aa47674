import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

type RunOptions = Parameters<AxeBuilder["options"]>[0];

const CONTRAST = "color-contrast";

/** Expects no axe violations on the page, and sufficient contrast in both color schemes. */
export async function expectNoFindings(page: Page, where: string): Promise<void> {
  await settled(page);
  expect(await findings(page), where).toEqual([]);
  // Only colors change with the scheme, so check only the contrast again.
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  expect(await findings(page, { runOnly: [CONTRAST] }), `${where}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Expects no axe violations but of contrast, which takes two thirds of the time: for a page whose colors were checked. */
export async function expectNoFindingsExceptContrast(page: Page, where: string): Promise<void> {
  await settled(page);
  const rules = { [CONTRAST]: { enabled: false } };
  expect(await findings(page, { rules }), where).toEqual([]);
}

/** Waits for animations to end, because axe would see the mixed colors of a fade. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
}

/** The violated rules and where. Checks all rules, unless options name some. */
async function findings(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Without legacy mode, each check opens a window and describes everything that passes, which takes four times as
  // long. Legacy mode skips cross-origin frames, but our pages have no frames.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"], ...options });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}
