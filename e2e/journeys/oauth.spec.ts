import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import { fillIn, newMember, untilInteractive } from "./member";

/** Goes to the scripted GitHub page and returns with its answer. */
async function continueWithGitHub(page: Page, email: string, answer = "Authorize"): Promise<void> {
  await untilInteractive(page);
  await page.getByRole("button", { name: "Continue with GitHub" }).click();
  await expect(page).toHaveTitle("Scripted GitHub");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: answer }).click();
}

async function signOut(page: Page): Promise<void> {
  await untilInteractive(page);
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}

const newEmail = () => `journey-${randomUUID()}@example.org`;

test("creates one account per GitHub user and returns to the requested page", {
  tag: "@main",
}, async ({ page }) => {
  const email = newEmail();
  await page.goto("/sign-in?callbackUrl=%2Fkeys");
  await untilInteractive(page);
  await expectNoFindings(page, "sign in, with a provider");
  await continueWithGitHub(page, email);
  await expect(page).toHaveURL(/\/keys$/);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await signOut(page);

  await page.goto("/sign-up");
  await continueWithGitHub(page, email);
  await expect(page).toHaveURL(/\/start$/);
  await page.goto("/settings");
  // Signing in again doesn't create another member or account.
  await expect(page.getByText(email).filter({ visible: true }).first()).toBeVisible();
  await page.goto("/settings/security");
  await expect(page.getByText("This browser")).toHaveCount(1);
});

test("doesn't let a GitHub user take over a password account with the same email", async ({
  page,
}) => {
  const email = await newMember(page, "/keys");
  await signOut(page);
  await continueWithGitHub(page, email);
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(
    page.getByRole("alert").filter({ hasText: "Sign in the way you signed up" }),
  ).toBeVisible();
  await untilInteractive(page);
  await fillIn(page, email, "correct horse battery staple");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/(overview|keys)$/);
});

test("signs nobody in with an unverified email or a canceled authorization", async ({ page }) => {
  const email = newEmail();
  await page.goto("/sign-in");
  await untilInteractive(page);
  await page.getByRole("button", { name: "Continue with GitHub" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Verified").uncheck();
  await page.getByRole("button", { name: "Authorize" }).click();
  await expect(page).toHaveURL(/\/sign-in\?error=no_email/);
  await expect(
    page.getByRole("alert").filter({ hasText: "didn’t share a verified email" }),
  ).toBeVisible();

  await continueWithGitHub(page, email, "Cancel");
  await expect(page).toHaveURL(/\/sign-in\?/);
  await expect(page.getByRole("alert").filter({ hasText: "couldn’t sign you in" })).toBeVisible();
});
