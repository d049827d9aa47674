import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  addKey,
  addUsage,
  breakReads,
  chooseOption,
  comeBackLater,
  delayScripts,
  newMember,
  reload,
  signUp,
  tryAgain,
  untilInteractive,
  untilShown,
} from "./member";

const CHECKOUT = /\/checkout\/simulated\/[\w-]+$/;

/** Creates a member and opens their billing page. */
async function openBilling(page: Page): Promise<void> {
  await newMember(page, "/billing");
}

/** Opens the checkout page through "Add funds". */
async function goToCheckout(page: Page, amount: string): Promise<void> {
  await page.getByRole("button", { name: "Add funds" }).click();
  await page.getByLabel("Amount (USD)").fill(amount);
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await expect(page).toHaveURL(CHECKOUT);
  await expect(page.getByText("No real money moves.")).toBeVisible();
  await untilInteractive(page);
}

function available(page: Page) {
  return page.getByRole("region", { name: "Available balance" }).getByRole("paragraph").first();
}

function notice(page: Page) {
  return page.getByRole("region", { name: "Checkout" });
}

/** The ledger's rows, newest first, without the header. */
function entries(page: Page) {
  return page
    .getByRole("table", { name: /^Ledger/ })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
}

test("adds funds through checkout and credits the balance once", {
  tag: "@main",
}, async ({ page }) => {
  await openBilling(page);
  await expect(available(page)).toHaveText("$5.00");
  await expect(entries(page)).toHaveCount(1);
  await goToCheckout(page, "1,012.5");
  await expect(page.getByText("$1,012.50", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Pay $1,012.50" }).click();

  await expect(page).toHaveURL(/\/billing\?checkout=cs_/);
  await expect(notice(page)).toContainText("$1,012.50 added");
  await expect(notice(page)).toContainText("$1,017.50 is available now.");
  await expect(available(page)).toHaveText("$1,017.50");
  await expect(entries(page).first()).toContainText(/Top-up.*\+\$1,012\.50.*\$1,017\.50/);

  await reload(page);
  await expect(notice(page)).toContainText("$1,012.50 added");
  await expect(entries(page)).toHaveCount(2);
  await notice(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(notice(page)).toBeHidden();
  await expect(page).toHaveURL(/\/billing$/);
  await reload(page);
  await expect(available(page)).toHaveText("$1,017.50");
  await expect(notice(page)).toBeHidden();
});

test("shows a simulated payment's receipt to its own account only", async ({ page, browser }) => {
  await openBilling(page);
  await goToCheckout(page, "20");
  await page.getByRole("button", { name: "Pay $20.00" }).click();
  await expect(notice(page)).toContainText("$20.00 added");
  const link = entries(page).getByRole("link", { name: /^Receipt of \$20\.00, \d.* \(new tab\)$/ });
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute("rel", "noopener");
  const opening = page.waitForEvent("popup");
  await link.click();
  const receipt = await opening;
  await expect(receipt).toHaveURL(/\/billing\/receipts\/pi_simulated_\w+$/);
  await untilInteractive(receipt);
  const paper = receipt.getByRole("article", { name: "Receipt from Footnote" });
  await expect(paper).toContainText(/Paid\$20\.00.*Simulated card.*pi_simulated_\w+/);
  await expect(receipt.getByText("No real money moved.")).toBeVisible();
  await expectNoFindings(receipt, "a receipt");
  const print = receipt.getByRole("button", { name: "Print or save" });
  await expect(print).toBeVisible();
  await receipt.emulateMedia({ media: "print" });
  await expect(print).toBeHidden();
  await expect(receipt.getByText("No real money moved.")).toBeVisible();

  const context = await browser.newContext();
  const other = await context.newPage();
  await newMember(other);
  for (const path of [receipt.url(), "/billing/receipts/pi_none", "/billing/receipts/%00"]) {
    const response = await other.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(other.getByRole("heading", { name: "Payment not found" })).toBeVisible();
  }
  await other.getByRole("link", { name: "Back to billing" }).click();
  await expect(available(other)).toHaveText("$5.00");
  await context.close();
});

test("lets an owner turn the low-balance email on and off", async ({ page }) => {
  await openBilling(page);
  const section = page.getByRole("region", { name: "Low-balance email" });
  const amount = section.getByLabel("Email owners when the balance drops below");
  const save = section.getByRole("button", { name: "Save" });
  await expect(section).toContainText("Off.");
  await expect(section.getByRole("button", { name: "Turn off" })).toHaveCount(0);
  for (const [text, problem] of [
    ["", "Enter an amount in dollars, such as 25 or 25.50."],
    ["2.505", "Enter an amount in dollars, such as 25 or 25.50."],
    ["0", "Enter more than $0.00."],
    ["100000.01", "Enter at most $100,000.00."],
  ] as const) {
    await amount.fill(text);
    await save.click();
    await expect(amount).toHaveAccessibleDescription(problem);
    await expect(amount).toBeFocused();
  }
  await amount.fill("1,002.5");
  await amount.press("Enter");
  await expect(section).toContainText("each time the balance drops below $1,002.50.");

  await reload(page);
  await expect(section).toContainText("each time the balance drops below $1,002.50.");
  await expect(amount).toHaveValue("1,002.50");
  await expectNoFindings(page, "the e-mail is on");
  await section.getByRole("button", { name: "Turn off" }).click();
  await expect(section).toContainText("Off.");
  await expect(amount).toBeFocused();
  await reload(page);
  await expect(section).toContainText("Off.");
  await expect(amount).toHaveValue("");
});

test("preserves an amount typed before scripts load", async ({ page }) => {
  await newMember(page);
  const release = await delayScripts(page);
  await page.goto("/billing", { waitUntil: "commit" });
  const section = page.getByRole("region", { name: "Low-balance email" });
  await section.getByLabel("Email owners when the balance drops below").fill("25");
  release();
  await untilInteractive(page);
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section).toContainText("each time the balance drops below $25.00.");
});

test("rejects an unsigned webhook event, even after a checkout was opened", async ({ page }) => {
  await openBilling(page);
  await goToCheckout(page, "10");
  const response = await page.request.post("/api/webhooks/stripe", {
    headers: { "stripe-signature": "t=1,v1=00" },
    data: {},
  });
  expect(response.status()).toBe(400);
  expect((await response.json()).error).toMatchObject({ param: "stripe-signature" });
});

test("charges nothing for a declined card and allows another try", async ({ page }) => {
  await openBilling(page);
  await goToCheckout(page, "20");
  const decline = page.getByRole("button", { name: "Decline the card" });
  await decline.click();
  await expect(page.getByRole("alert").filter({ hasText: "Your card was declined" })).toBeVisible();
  await expect(decline).toBeFocused();
  await page.getByRole("button", { name: "Pay $20.00" }).click();
  await expect(notice(page)).toContainText("$20.00 added");
  await expect(available(page)).toHaveText("$25.00");
});

test("charges nothing for a canceled checkout, which can be resumed", async ({ page }) => {
  await openBilling(page);
  await goToCheckout(page, "20");
  const address = page.url();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(notice(page)).toContainText("Checkout canceled");
  await expect(notice(page)).toContainText("You weren’t charged.");
  await expect(available(page)).toHaveText("$5.00");
  await notice(page).getByRole("link", { name: "Try again" }).click();
  await expect(page).toHaveURL(address);
  await untilInteractive(page);
  await page.getByRole("button", { name: "Pay $20.00" }).click();
  await expect(available(page)).toHaveText("$25.00");
});

test("shows a bank debit as pending until it settles, then updates the waiting page", async ({
  page,
}) => {
  await openBilling(page);
  await goToCheckout(page, "40");
  await page.getByRole("button", { name: "Pay by bank debit" }).click();
  await expect(page.getByRole("heading", { name: "Bank debit pending" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Payment" })).toBeFocused();
  const bank = page;
  const waiting = await page.context().newPage();
  const back = await bank.getByRole("link", { name: "Return to Footnote" }).getAttribute("href");
  await waiting.goto(back ?? "");
  await expect(notice(waiting)).toContainText("Your payment of $40.00 is being processed");
  await expect(notice(waiting)).toContainText("several business days");
  await expect(available(waiting)).toHaveText("$5.00");

  await bank.getByRole("button", { name: "Settle the debit" }).click();
  await expect(bank.getByRole("heading", { name: "Paid" })).toBeVisible();
  await waiting.bringToFront();
  await expect(notice(waiting)).toContainText("$40.00 added", { timeout: 20_000 });
  await expect(available(waiting)).toHaveText("$45.00");
});

test("leaves the balance unchanged when a bank debit fails or a checkout expires", async ({
  page,
}) => {
  await openBilling(page);
  await goToCheckout(page, "40");
  await page.getByRole("button", { name: "Pay by bank debit" }).click();
  await page.getByRole("button", { name: "Fail the debit" }).click();
  await page.getByRole("link", { name: "Return to Footnote" }).click();
  await expect(notice(page)).toContainText("Your payment of $40.00 failed");
  await untilInteractive(page);
  await notice(page).getByRole("button", { name: "Try again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "$50" }).click();
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await expect(page).toHaveURL(CHECKOUT);
  await untilInteractive(page);
  await page.getByRole("button", { name: "Let it expire" }).click();
  await page.getByRole("link", { name: "Return to Footnote" }).click();
  await expect(notice(page)).toContainText("This checkout has expired");
  await expect(available(page)).toHaveText("$5.00");
  await expect(entries(page)).toHaveCount(1);
});

test("doesn't find a checkout that is nonexistent or another account's", async ({
  page,
  browser,
}) => {
  await openBilling(page);
  await goToCheckout(page, "20");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(notice(page)).toContainText("Checkout canceled");
  const address = page.url();
  const other = await (await browser.newContext()).newPage();
  await newMember(other);
  for (const path of [address, "/billing?checkout=cs_none", "/billing?checkout=%00"]) {
    await other.goto(path);
    await expect(notice(other)).toContainText("Checkout not found");
    await expect(available(other)).toHaveText("$5.00");
  }
  const missing = await other.goto("/checkout/simulated/cs_none");
  expect(missing?.status()).toBe(404);
  await other.context().close();
});

test("explains an invalid amount next to its field", async ({ page }) => {
  await openBilling(page);
  await page.getByRole("button", { name: "Add funds" }).click();
  const amount = page.getByLabel("Amount (USD)");
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription("From $5.00 to $5,000.00.");
  for (const [text, problem] of [
    ["", "Enter an amount."],
    ["ten", "Enter an amount in dollars, such as 25 or 25.50."],
    ["4.99", "Add at least $5.00."],
    ["5000.01", "Add at most $5,000.00 at a time."],
  ] as const) {
    await amount.fill(text);
    await amount.press("Enter");
    await expect(amount).toHaveAccessibleDescription(problem);
    await expect(amount).toBeFocused();
  }
  await amount.fill("1250.5");
  await page.keyboard.press("Tab");
  await expect(amount).toHaveValue("1,250.50");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "$10", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(amount).toHaveValue("10.00");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Add funds" })).toBeFocused();
});

test("reports a failed checkout request and retries it with the same idempotency key", async ({
  page,
}) => {
  await openBilling(page);
  const keys: (string | undefined)[] = [];
  const address = "**/api/billing/checkout-sessions";
  await page.route(address, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    await (keys.length === 1 ? route.abort() : route.continue());
  });
  await page.getByRole("button", { name: "Add funds" }).click();
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await expect(page.getByText("We couldn’t reach the server.")).toBeVisible();
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await expect(page).toHaveURL(CHECKOUT);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test("lists request costs in the ledger, page by page", async ({ page }) => {
  await newMember(page);
  const secret = await addKey(page, "Searcher");
  await addUsage(page, secret, 55);
  await page.goto("/billing");
  await untilInteractive(page);
  await expect(page.getByText("Showing 1 entry")).toBeVisible();
  // A day's usage is one row that opens.
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page).first()).toContainText(/Usage.*50 requests.*−\$0\.025/);
  const restore = await breakReads(page, /\/api\/billing\/ledger/);
  await page.getByRole("button", { name: "Load more" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "Couldn’t load more entries." });
  await expect(failure).toBeVisible({ timeout: 15_000 });
  await restore();
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("2 entries", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "55 requests" }).click();
  await expect(entries(page)).toHaveCount(57);
  await chooseOption(page, /^Show/, "Payments and credits");
  await expect(entries(page)).toHaveCount(1);
  const statement = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PDF" }).click();
  expect((await statement).suggestedFilename()).toMatch(/^footnote-statement-20\d\d-\d\d\.pdf$/);
  const ledger = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await ledger).suggestedFilename()).toMatch(/^footnote-ledger-.*\.csv$/);
  await chooseOption(page, /^Show/, "Usage");
  await page.getByRole("button", { name: "50 requests" }).click();
  await page.getByRole("table").getByRole("link", { name: /^req_/ }).first().click();
  await expect(page).toHaveURL(/\/usage\/req_/);
});

test("still shows the last balance, with a notice, when refreshing fails", async ({ page }) => {
  await page.clock.install();
  await openBilling(page);
  const restore = await breakReads(page, /\/api\/billing\/(ledger|credits)/);
  await comeBackLater(page);
  const failure = page.getByRole("alert").filter({ hasText: "may be out of date." });
  await untilShown(page, failure);
  await expect(available(page)).toHaveText("$5.00");
  await restore();
  await tryAgain(failure);
});

test("shows prices to everyone and calculates the example from them", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Pricing", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Pricing", level: 1 })).toBeVisible();
  const row = page.getByRole("row", { name: /footnote-extract-1/ });
  await expect(row).toContainText(/\$0\.02.*\$0\.08.*\$0\.05.*\$0\.20/);
  // A search, and a page of recognized text.
  await expect(page.getByText("$0.0005")).toHaveCount(2);
  // 2,417 × 0.05 + 283 × 0.20 = 177.45 micro-dollars.
  await expect(page.getByRole("row", { name: /^Charged/ })).toContainText("$0.000178");
});

test("sets a key's budget in its form and shows it next to the spend", async ({ page }) => {
  await newMember(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Careful");
  await form.getByText("Advanced", { exact: false }).first().click();
  await form.getByLabel("Monthly budget").fill("-3");
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(form.getByLabel("Monthly budget")).toHaveAttribute("aria-invalid", "true");
  await form.getByLabel("Monthly budget").fill("1,250.50");
  await form.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(page.getByRole("row", { name: /Careful/ })).toContainText("$0.00 of $1,250.50");
});

test("@phone adds funds on a phone without horizontal overflow", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await page.goto("/pricing");
  expect(await fits(), "/pricing").toBe(true);
  await signUp(page);
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("link", { name: "Billing" }).click();
  await expect(page.getByRole("heading", { name: "Billing", level: 1 })).toBeVisible();
  await untilInteractive(page);
  await expect(page.getByRole("table")).toBeHidden();
  await goToCheckout(page, "5000");
  expect(await fits(), "checkout").toBe(true);
  await page.getByRole("button", { name: "Pay $5,000.00" }).click();
  await expect(available(page)).toHaveText("$5,005.00");
  expect(await fits(), "/billing").toBe(true);
  await expect(page.getByRole("listitem").filter({ hasText: "Top-up" })).toContainText(
    "+$5,000.00",
  );
});
