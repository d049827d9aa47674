import { expect, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  addKeys,
  breakKeyList,
  breakReads,
  chooseOption,
  comeBackLater,
  newMember,
  reload,
  untilInteractive,
  untilShown,
  visible,
} from "./member";

test.describe("@phone axe reports no violations", () => {
  test("on the public pages", async ({ page }) => {
    await page.goto("/");
    await expectNoFindings(page, "/");
    await page.getByRole("tab", { name: "Python" }).click();
    await expectNoFindings(page, "/ with Python");
    for (const [path, button] of [
      ["/sign-in", "Sign in"],
      ["/sign-up", "Create account"],
    ] as const) {
      await page.goto(path);
      await expectNoFindings(page, path);
      await page.getByRole("button", { name: button }).click();
      await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
      await expectNoFindings(page, `${path} with errors`);
    }
  });

  test("on the presets page: empty, with its form, filled", async ({ page }) => {
    await newMember(page, "/presets");
    await expectNoFindings(page, "empty");
    await page.getByRole("button", { name: "Create preset" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Create preset" }).click();
    await expect(form.getByText("Use lowercase letters")).toBeVisible();
    await expectNoFindings(page, "form with errors");
    await form.getByLabel("Name").fill("cited");
    await form.getByRole("checkbox", { name: "Public" }).check();
    await chooseOption(page, "Show citations as", "Links");
    await form.getByRole("button", { name: "Create preset" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "footnote-extract-1:cited" });
    await expect(row).toContainText("render: links");
    await expectNoFindings(page, "filled");
    await row.getByRole("button", { name: /^Edit/ }).click();
    await expect(page.getByRole("dialog").getByLabel("Show citations as")).toHaveText("Links");
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("button", { name: "Delete preset" }).click();
    await expect(page.getByRole("heading", { name: "No presets yet" })).toBeVisible();
  });

  test("on the API keys page: empty, filled, with dialogs, failing", async ({ page }) => {
    test.slow();
    await page.clock.install();
    await newMember(page, "/keys");
    await expectNoFindings(page, "empty");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog");
    await expect(form.getByLabel("Name")).toBeFocused();
    await expectNoFindings(page, "form");
    await form.getByRole("radio", { name: "Custom", exact: true }).check();
    await form.getByRole("checkbox", { name: "Personal" }).check();
    await form.getByRole("radio", { name: "Someone else" }).check();
    await form.getByRole("radio", { name: "Choose scopes" }).check();
    await form.getByText("Advanced", { exact: false }).first().click();
    await form.getByRole("radio", { name: "Selected models" }).check();
    await form.getByRole("radio", { name: "On a date" }).check();
    await form.getByRole("button", { name: "Create key" }).click();
    await expectNoFindings(page, "form with errors");
    await page.keyboard.press("Escape");

    await addKeys(page, ["First", "Second"]);
    await reload(page);
    await expectNoFindings(page, "filled");
    await visible(page, "Actions for Second").click();
    await expect(page.getByRole("menuitem", { name: "Rotate" })).toBeVisible();
    await expectNoFindings(page, "a key's menu");
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expectNoFindings(page, "revoke");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByText("Key “Second” revoked")).toBeVisible();
    await expectNoFindings(page, "revoked");
    await page.getByRole("button", { name: /^Account:/ }).click();
    await expectNoFindings(page, "account menu");
    await page.keyboard.press("Escape");

    await breakKeyList(page);
    await comeBackLater(page);
    await untilShown(page, page.getByText("This list may be out of date."));
    await expectNoFindings(page, "failed");
  });

  test("on billing and checkout: balance, dialog, and every payment outcome", async ({ page }) => {
    test.slow();
    await page.clock.install();
    await newMember(page, "/billing");
    await expectNoFindings(page, "balance");
    await page.getByRole("button", { name: "Add funds" }).click();
    const amount = page.getByLabel("Amount (USD)");
    await expect(amount).toBeFocused();
    await expectNoFindings(page, "dialog");
    await amount.fill("1");
    await amount.press("Enter");
    await expect(amount).toHaveAttribute("aria-invalid", "true");
    await expectNoFindings(page, "dialog with an error");
    await amount.fill("25");
    await amount.press("Enter");

    await expect(page).toHaveURL(/\/checkout\/simulated\//);
    await untilInteractive(page);
    await expectNoFindings(page, "checkout");
    await page.getByRole("button", { name: "Decline the card" }).click();
    await expect(page.getByText("Your card was declined")).toBeVisible();
    await expectNoFindings(page, "checkout, declined");
    const checkout = page.url();
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByText("Checkout canceled")).toBeVisible();
    await expectNoFindings(page, "cancelled");

    await page.goto(checkout);
    await untilInteractive(page);
    await page.getByRole("button", { name: "Pay by bank debit" }).click();
    await expect(page.getByText("Bank debit pending")).toBeVisible();
    await expectNoFindings(page, "checkout, under way");
    await page.getByRole("link", { name: "Return to Footnote" }).click();
    await expect(page.getByText("is being processed")).toBeVisible();
    await expectNoFindings(page, "processing");

    await page.goto(checkout);
    await untilInteractive(page);
    await page.getByRole("button", { name: "Settle the debit" }).click();
    await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
    await expectNoFindings(page, "checkout, paid");
    await page.getByRole("link", { name: "Return to Footnote" }).click();
    await expect(page.getByText("$25.00 added")).toBeVisible();
    await expectNoFindings(page, "paid");
    await page.goto("/billing?checkout=cs_none");
    await expect(page.getByText("Checkout not found")).toBeVisible();
    await expectNoFindings(page, "unknown");

    await breakReads(page, /\/api\/billing\/(ledger|credits)/);
    await comeBackLater(page);
    await untilShown(page, page.getByText("may be out of date."));
    await expectNoFindings(page, "failed");
  });
});

test("prefers the chosen theme to the system's and remembers it after a reload", {
  tag: "@main",
}, async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const canvas = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await canvas();
  await page.getByTitle("Dark").click();
  await expect.poll(canvas).not.toBe(light);
  const dark = await canvas();
  await reload(page);
  expect(await canvas()).toBe(dark);
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.getByTitle("System").click();
  expect(await canvas()).toBe(light);
});
