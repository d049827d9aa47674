import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Expects that axe finds nothing on the page as it stands, and no contrast too low in either scheme. */
export async function expectNoFindings(page: Page, where: string): Promise<void> {
  await settled(page);
  expect(await findings(page), where).toEqual([]);
  // Only colours change with the scheme, so only they are looked at again.
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  expect(await findings(page, "color-contrast"), `${where}, dark`).toEqual([]);
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

/** The rules that are broken, of all or of one, and where. */
async function findings(page: Page, rule?: string): Promise<string[]> {
  // Without legacy mode a window is opened for every look, and all that passes is described: three quarters of the
  // time. Frames of other origins are left out by it, and no page of ours has a frame.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).options({
    resultTypes: ["violations"],
    ...(rule && { runOnly: [rule] }),
  });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}
