import { existsSync } from "node:fs";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { newMember, untilInteractive } from "./member";
import { fixClock, test } from "./pictures";
import { type Filled, fillAccount, holdStill } from "./still";

// Every page in its main states, as people see it. Each picture is kept in test-results and compared with its
// reference in screens/, taken in Debian's Chromium: other builds draw letters differently. After an intended change,
// npm run test:pictures -- --update-snapshots takes new ones; look at what changed before you commit them.

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 812 };
const QUESTION = "What are the signs of a stroke?";
const CHROMIUM = "/usr/bin/chromium";
const IS_COMPARED =
  existsSync("/etc/debian_version") && (process.env.FOOTNOTE_CHROMIUM || CHROMIUM) === CHROMIUM;

/** Beside the wide picture in light. */
interface More {
  isNarrow?: boolean;
  isDark?: boolean;
}

const PUBLIC: [name: string, path: string, more?: More][] = [
  ["home", "/", { isNarrow: true, isDark: true }],
  ["pricing", "/pricing", { isNarrow: true }],
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
    process.stdout.write(`Pictures are kept and not compared: this is not Debian's ${CHROMIUM}.\n`);
  }
});

/** One picture of what the window shows: kept, and compared. */
async function take(page: Page, name: string): Promise<void> {
  await holdStill(page);
  const file = `${name}.png`;
  await page.screenshot({
    ...{ path: test.info().outputPath(file), animations: "disabled", caret: "hide" },
  });
  if (IS_COMPARED) {
    // Soft, so that one run tells of every page that changed.
    await expect.soft(page).toHaveScreenshot(file);
  }
}

/** The page as it stands, wide and in light, then as asked for. */
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

test("the pages for strangers look as they did", async ({ page }) => {
  await visit(page, PUBLIC);
});

test("the console of a new account looks as it did", async ({ page }) => {
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

  test("looks as it did on every page of the console", async () => {
    const page = await context.newPage();
    await visit(page, FILLED);
    await visit(page, [
      ["document", filled.document],
      ["request", filled.request],
    ]);
  });

  test("looks as it did with an answer in the playground", async () => {
    const page = await context.newPage();
    await page.goto("/playground");
    await untilInteractive(page);
    await page.getByLabel("Message", { exact: true }).fill(QUESTION);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("button", { name: "Copy as code" })).toBeVisible();
    await takeAll(page, "playground", { isNarrow: true, isDark: true });
  });
});
