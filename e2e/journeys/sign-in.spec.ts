import { expect, test } from "@playwright/test";
import { delayScripts, fillIn, newMember, PASSWORD, signUp, untilInteractive } from "./member";

test("redirects a visitor from the API keys to sign-in and back", {
  tag: "@main",
}, async ({ page }) => {
  const email = await signUp(page);
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);

  await page.goto("/keys");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fkeys$/);
  await fillIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/keys$/);

  for (const path of ["/sign-in", "/sign-up"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/overview$/);
  }
});

test("reports a wrong password and preserves the fields", async ({ page }) => {
  const email = await newMember(page);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await fillIn(page, email, "not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Wrong email or password." }),
  ).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test("rejects even the right password after too many wrong ones", async ({ page }) => {
  const email = await newMember(page);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  const attempt = async (password: string) => {
    await fillIn(page, email, password);
    const answered = page.waitForResponse(/callback\/credentials/);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
  };
  for (let tries = 0; tries < 10; tries += 1) {
    await attempt(`guess ${tries}`);
  }
  await attempt(PASSWORD);
  await expect(page.getByText("Too many sign-in attempts with this email.")).toBeVisible();
});

test("explains sign-up errors next to the field and focuses it", async ({ page }) => {
  const taken = await newMember(page);
  await page.context().clearCookies();
  await page.goto("/sign-up");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/Enter an email address/);

  await fillIn(page, taken, "short");
  await expect(page.getByText("Use at least 10 characters.")).toBeVisible();
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
});

test("doesn't reveal on sign-up whether an email has an account", async ({ page }) => {
  const taken = await newMember(page);
  await page.context().clearCookies();
  await page.goto("/sign-up");
  await untilInteractive(page);
  await fillIn(page, taken, `another ${PASSWORD}`);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/sign-in\?error=after_sign_up$/);
  await expect(page.getByText("If this email already had an account")).toBeVisible();
});

test("preserves values typed before scripts load", async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto("/sign-in", { waitUntil: "commit" });
  await fillIn(page, "early@example.org", "typed early");
  release();
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("typed early");
  await expect(page.getByLabel("Email")).toHaveValue("early@example.org");
});

for (const path of ["/sign-in", "/sign-up"]) {
  test(`leaves the password out of the URL when ${path} is submitted before scripts load`, async ({
    page,
  }) => {
    await page.route(/\.js(\?|$)/, (route) => route.abort());
    await page.goto(path);
    await fillIn(page, "early@example.org", "typed-early-secret");
    const sent = page.waitForRequest((request) => request.isNavigationRequest());
    await page.keyboard.press("Enter");
    const request = await sent;
    expect(request.method()).toBe("POST");
    expect(request.url()).toMatch(new RegExp(`${path}$`));
  });
}

test("never redirects to another site after sign-in", async ({ page }) => {
  const email = await newMember(page, "/keys");
  const origin = new URL(page.url()).origin;
  for (const target of ["https://evil.example/keys", "//evil.example", "/\\evil.example"]) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(target)}`);
    await fillIn(page, email, PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${origin}/overview`);
  }
});

test("warns about a weak password while it is typed and rejects it", async ({ page }) => {
  await page.goto("/sign-up?callbackUrl=%2Fkeys");
  await untilInteractive(page);
  const password = page.getByLabel("Password", { exact: true });
  await fillIn(page, `weak-${Date.now()}@example.org`, "password2026");
  await expect(password).toHaveAccessibleDescription("Easy to guess. Add a few unrelated words.");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(password).toHaveAccessibleDescription(/This password is easy to guess\. Choose/);
  await expect(password).toBeFocused();
  await password.fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/keys$/);
});

test("leads another name of this machine to the address that payments return to", async ({
  page,
  baseURL,
}) => {
  const home = new URL(baseURL ?? "");
  await page.goto(`http://127.0.0.1:${home.port}/sign-in?callbackUrl=%2Fbilling`);
  await expect(page).toHaveURL(`${home.origin}/sign-in?callbackUrl=%2Fbilling`);
});
