import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Expects that axe finds nothing on the page as it stands, and no contrast too low in either scheme. */
export async function expectNoFindings(page: Page, where: string): Promise<void> {
  await settled(page);
  expect(await findings(new AxeBuilder({ page })), where).toEqual([]);
  // Only colours change with the scheme, so only they are looked at again.
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  const contrast = new AxeBuilder({ page }).withRules("color-contrast");
  expect(await findings(contrast), `${where}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** A fade that is under way has its colours half mixed. */
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

async function findings(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}
