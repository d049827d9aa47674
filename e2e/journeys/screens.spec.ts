import { existsSync } from "node:fs";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { newMember, untilInteractive } from "./member";
import { fixClock, test } from "./pictures";
import { type Filled, fillAccount, stabilize } from "./still";

// Screenshots of every page in its main states, saved to test-results and compared with the references in screens/.
// The references come from Debian's Chromium, because other builds render text differently. After an intended change,
// update them with npm run test:pictures -- --update-snapshots, and review the differences before you commit.

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 812 };
const QUESTION = "What are the signs of a stroke?";
const CHROMIUM = "/usr/bin/chromium";
const IS_COMPARED =
  existsSync("/etc/debian_version") && (process.env.FOOTNOTE_CHROMIUM || CHROMIUM) === CHROMIUM;

/** Screenshots in addition to the wide, light one. */
interface More {
  isNarrow?: boolean;
  isDark?: boolean;
}

const PUBLIC: [name: string, path: string, more?: More][] = [
  ["home", "/", { isNarrow: true, isDark: true }],
  ["pricing", "/pricing", { isNarrow: true }],
  ["trust", "/trust", { isNarrow: true }],
  [
    "source",
    "/sources/doc_zh6up8o9cg13dqqiaaj73vsc9p?quote=824-934-feaa4fe1fc70",
    { isDark: true },
  ],
  ["docs", "/docs", { isNarrow: true }],
  ["docs-citations", "/docs/citations", { isNarrow: true, isDark: true }],
  ["docs-api", "/docs/api"],
  ["sign-in", "/sign-in", { isNarrow: true }],
  ["sign-up", "/sign-up"],
  ["forgot-password", "/forgot-password"],
  ["not-found", "/no-such-page"],
];
const EMPTY: typeof PUBLIC = [
  ["overview-empty", "/overview"],
  ["playground-empty", "/playground"],
  ["keys-empty", "/keys"],
  ["documents-empty", "/documents"],
  ["usage-empty", "/usage"],
];
const FILLED: typeof PUBLIC = [
  ["overview", "/overview", { isNarrow: true, isDark: true }],
  ["keys", "/keys", { isNarrow: true }],
  ["documents", "/documents", { isNarrow: true }],
  ["usage", "/usage", { isNarrow: true, isDark: true }],
  ["billing", "/billing", { isNarrow: true }],
  ["settings", "/settings", { isNarrow: true }],
];

test.use({ viewport: WIDE, colorScheme: "light", timezoneId: "UTC", locale: "en-US" });

test.beforeAll(() => {
  if (!IS_COMPARED) {
    process.stdout.write(
      `Screenshots are saved but not compared: this isn't Debian's ${CHROMIUM}.\n`,
    );
  }
});

/** Takes a screenshot of the viewport, saves it and compares it. */
async function take(page: Page, name: string): Promise<void> {
  await stabilize(page);
  const file = `${name}.png`;
  await page.screenshot({
    ...{ path: test.info().outputPath(file), animations: "disabled", caret: "hide" },
  });
  if (IS_COMPARED) {
    // Soft, so that one run reports every page that changed.
    await expect.soft(page).toHaveScreenshot(file);
  }
}

/** Takes the wide, light screenshot, then the additional ones. */
async function takeAll(page: Page, name: string, more: More = {}): Promise<void> {
  await take(page, name);
  if (more.isDark) {
    await page.emulateMedia({ colorScheme: "dark" });
    await take(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: "light" });
  }
  if (more.isNarrow) {
    await page.setViewportSize(NARROW);
    await take(page, `${name}-narrow`);
    await page.setViewportSize(WIDE);
  }
}

async function visit(page: Page, pages: typeof PUBLIC): Promise<void> {
  for (const [name, path, more] of pages) {
    await page.goto(path);
    await untilInteractive(page);
    await takeAll(page, name, more);
  }
}

test("matches the screenshots of the public pages", async ({ page }) => {
  await visit(page, PUBLIC);
});

test("matches the screenshots of a new account's console", async ({ page }) => {
  await newMember(page);
  await page.request.post("/api/settings/profile", { data: { name: "Ada" } });
  await visit(page, EMPTY);
});

test.describe("an account in use", () => {
  let context: BrowserContext;
  let filled: Filled;

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext();
    await fixClock(context);
    const page = await context.newPage();
    await newMember(page);
    filled = await fillAccount(context);
    await page.close();
  });

  test.afterAll(() => context.close());

  test("matches the screenshots of every console page", async () => {
    const page = await context.newPage();
    await visit(page, FILLED);
    await visit(page, [
      ["document", filled.document],
      ["request", filled.request],
    ]);
  });

  test("matches the screenshots of an answer in the playground", async () => {
    const page = await context.newPage();
    await page.goto("/playground");
    await untilInteractive(page);
    await page.getByLabel("Message", { exact: true }).fill(QUESTION);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Code and JSON" })).toBeVisible();
    await takeAll(page, "playground", { isNarrow: true, isDark: true });
  });
});
