import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  chooseOption,
  comeBackLater,
  newMember,
  tryAgain,
  untilInteractive,
  untilShown,
  visit,
} from "./member";
import { fillAccount } from "./still";

// Every page of the console while it waits for the server, and when the server fails.

/** What a proxy in front of a failing server answers. */
const RAW = "502 Bad Gateway nginx";

/** The pages whose data is refreshed, with where it comes from. */
const REFRESHED: Record<string, RegExp> = {
  "/overview": /\/api\/overview$/,
  "/usage": /\/api\/usage/,
  "/documents": /\/api\/documents/,
  "/keys": /\/api\/keys/,
  "/presets": /\/api\/presets/,
  "/billing": /\/api\/billing\/(?:ledger|credits)/,
  "/settings": /\/api\/settings$/,
  "/settings/security": /\/api\/settings$/,
  "/settings/account": /\/api\/settings$/,
  "/settings/data": /\/api\/settings$/,
};

/** A filter of the pages whose first read is part of the page, and an option that reads again. */
const FILTERS: Record<string, [label: RegExp, option: string]> = {
  "/usage": [/^Days/, "Last 7 days"],
  "/documents": [/^Status/, "Failed"],
  "/keys": [/^Mode/, "Test"],
  "/billing": [/^Show/, "Payments"],
};

/** Answers reads of an address as a proxy does whose server is down. Returns a function that ends it. */
async function failReads(page: Page, address: RegExp): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ status: 502, contentType: "text/html", body: `<h1>${RAW}</h1>` })
      : route.continue(),
  );
  return () => page.unroute(address);
}

/** Holds back the server's answers to navigations. Returns a function that lets them through. */
async function holdPages(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.searchParams.has("_rsc"),
    async (route) => {
      await released;
      await route.continue();
    },
  );
  return () => release();
}

const failure = (page: Page) =>
  page
    .getByRole("alert")
    .filter({ has: page.getByRole("button", { name: "Try again" }) })
    .first();

test("@phone says that a page loads, whichever link led to it", async ({ page, context }) => {
  test.slow();
  await newMember(page);
  const { document, request } = await fillAccount(context);
  const loading = page.getByRole("status").filter({ hasText: /^Loading$/ });
  for (const [from, to] of [
    ["/usage", request],
    ["/documents", document],
    ["/keys", "/keys/key_"],
    ["/settings", "/settings/security"],
    ["/overview", "/usage"],
  ] as const) {
    await visit(page, from);
    const release = await holdPages(page);
    await page.locator(`main a[href^="${to}"]`).filter({ visible: true }).first().click();
    await expect(loading, `${from} to ${to}`).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    release();
    await expect(page).toHaveURL((url) => url.pathname.startsWith(to));
    await expect(loading).toHaveCount(0);
  }
});

test("stays on the page while the browser is offline", async ({ page, context }) => {
  await newMember(page, "/settings");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Presets" }).click();
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("says that every page of the navigation loads", async ({ page }) => {
  await newMember(page, "/settings");
  const loading = page.getByRole("status").filter({ hasText: /^Loading$/ });
  const links = page.getByRole("navigation", { name: "Console" }).getByRole("link");
  const names = await links.allTextContents();
  expect(names.length).toBeGreaterThan(5);
  for (const name of names.filter((each) => each !== "Settings")) {
    const release = await holdPages(page);
    await links.filter({ hasText: name }).click();
    await expect(loading, name).toBeVisible();
    release();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(loading).toHaveCount(0);
  }
});

test("@phone every page says what failed, keeps what it had, and tries again", async ({
  page,
  context,
}) => {
  test.slow();
  await page.clock.install();
  await newMember(page);
  await fillAccount(context);
  for (const [path, address] of Object.entries(REFRESHED)) {
    await visit(page, path);
    const heading = page.getByRole("heading", { level: 1 });
    const title = await heading.textContent();
    const restore = await failReads(page, address);
    await comeBackLater(page);
    await untilShown(page, failure(page));
    await expect(page.locator("body"), path).not.toContainText(RAW);
    await expect(heading).toHaveText(title ?? "");
    await expectNoFindings(page, `${path}, failing`);
    await restore();
    await tryAgain(failure(page));
  }
});

test("lists say what failed when their first read does", async ({ page, context }) => {
  test.slow();
  await newMember(page);
  for (const [path, address] of [
    ["/start", /\/api\/keys\/first/],
    ["/settings/activity", /\/api\/settings\/activity/],
    ["/usage", /\/api\/usage/],
    ["/documents", /\/api\/documents/],
    ["/keys", /\/api\/keys/],
    ["/billing", /\/api\/billing\/ledger/],
  ] as const) {
    if (path === "/usage") {
      await fillAccount(context);
    }
    // A first key is created by a POST.
    await page.route(address, (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: `<h1>${RAW}</h1>` }),
    );
    await page.goto(path);
    await untilInteractive(page);
    const filter = FILTERS[path];
    if (filter) {
      await chooseOption(page, ...filter);
    }
    await expect(failure(page), path).toBeVisible({ timeout: 20_000 });
    await expect(page.locator("body"), path).not.toContainText(RAW);
    await page.unroute(address);
    await tryAgain(failure(page));
    // Not lost with the button.
    await expect(page.locator("main:focus, main :focus"), path).toHaveCount(1);
  }
});
