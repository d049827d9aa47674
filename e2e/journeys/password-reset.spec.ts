import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { fillIn, newMember, PASSWORD } from "./member";

/** Where e2e/server.mjs writes the product's log. */
const LOG = process.env.FOOTNOTE_SERVER_LOG ?? path.join(os.tmpdir(), "footnote-e2e-3199.log");
const NEW_PASSWORD = "another correct horse";

// In turn: each counts the links in the server's log.
test.describe.configure({ mode: "default" });

async function readLinks(): Promise<string[]> {
  const log = await readFile(LOG, "utf8");
  return [...log.matchAll(/"link":"([^"]+\/reset-password#[\w-]+)"/g)].map(
    ([, link]) => link ?? "",
  );
}

/** Requests a link with the form and reads it from the server's log. */
async function askForLink(page: Page, email: string): Promise<string> {
  const before = (await readLinks()).length;
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Request reset link" }).click();
  await expect(page.getByText(`If an account exists for ${email}`)).toBeVisible();
  await expect.poll(async () => (await readLinks()).length).toBe(before + 1);
  const link = (await readLinks()).at(-1) ?? "";
  return new URL(link).pathname + new URL(link).hash;
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
}

test("resets a forgotten password once per link and signs out every browser", {
  tag: "@main",
}, async ({ page, browser }) => {
  const email = await newMember(page);
  const other = await (await browser.newContext()).newPage();
  const link = await askForLink(other, email);
  const token = link.split("#")[1] ?? "";

  const requested: string[] = [];
  other.on("request", (request) => {
    requested.push(request.url(), request.headers().referer ?? "");
  });
  await other.goto(link);
  await expect(other).toHaveURL(/\/reset-password$/);
  await choose(other, "short");
  await expect(other.getByLabel("New password")).toHaveAccessibleDescription(
    "Use at least 10 characters.",
  );
  await choose(other, NEW_PASSWORD);
  await expect(other.getByRole("heading", { name: "Password changed" })).toBeVisible();
  await expect(other.getByRole("region", { name: "Password changed" })).toBeFocused();
  const stored = await other.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  for (const place of [...requested, stored, await other.content()]) {
    expect(place).not.toContain(token);
  }

  await page.goto("/keys");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fkeys$/);
  await fillIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Wrong email or password.")).toBeVisible();
  await fillIn(page, email, NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/keys$/);

  await other.goto("/");
  await other.goto(link);
  await choose(other, "a third correct horse");
  await expect(other.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await other.getByRole("link", { name: "Get a new link" }).click();
  await expect(other).toHaveURL(/\/forgot-password$/);
  await other.context().close();
});

test("doesn't reveal whether an email has an account", async ({ page }) => {
  const before = (await readLinks()).length;
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill("nobody");
  await page.getByRole("button", { name: "Request reset link" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/Enter an email address/);
  const nobody = `nobody-${Date.now()}@example.org`;
  await page.getByLabel("Email").fill(nobody);
  await page.getByRole("button", { name: "Request reset link" }).click();
  await expect(page.getByText(`If an account exists for ${nobody}`)).toBeVisible();
  expect((await readLinks()).length).toBe(before);
});

test("reports a missing token, and shows the form once the URL has one", async ({ page }) => {
  await page.goto("/reset-password");
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await page.evaluate(() => {
    window.location.hash = "A".repeat(43);
  });
  await choose(page, NEW_PASSWORD);
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
});

test("preserves the new password and the link when the request fails", async ({ page }) => {
  const email = await newMember(page);
  await page.context().clearCookies();
  await page.goto(await askForLink(page, email));
  await page.route("**/api/account/reset-password", (route) => route.abort());
  await choose(page, NEW_PASSWORD);
  await expect(page.getByText("Your password wasn’t changed.")).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveValue(NEW_PASSWORD);
  await page.unroute("**/api/account/reset-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { name: "Password changed" })).toBeVisible();
});
