import { expect, type Page, type Request, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import { delayScripts, newMember, PASSWORD } from "./member";

// The pages that links with a token open. Their scripts load when the page is first used, like those of other public pages.

const TOKEN = "A".repeat(43);
const RESET = "**/api/account/reset-password";

/** Invites someone as the signed-in member and returns the path of the link. */
async function invite(page: Page, email: string): Promise<string> {
  const response = await page.request.post("/api/members/invitations", {
    data: { email, role: "member" },
  });
  expect(response.ok()).toBe(true);
  const { pathname, hash } = new URL((await response.json()).link);
  return pathname + hash;
}

/** Names the account of the signed-in member. */
async function nameAccount(page: Page, name: string): Promise<void> {
  const response = await page.request.post("/api/settings/account", { data: { name } });
  expect(response.ok()).toBe(true);
}

function watchScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") {
      scripts.push(request.url());
    }
  });
  return scripts;
}

const isPost = (request: Request) => request.method() === "POST";

test.describe("@phone a link with a token", () => {
  test("shows what it is for before any script loads", async ({ page, browser }) => {
    const owner = await newMember(page);
    await nameAccount(page, "Ward 7");
    const link = await invite(page, `ben-${owner}`);
    const stranger = await (await browser.newContext()).newPage();
    const scripts = watchScripts(stranger);
    await stranger.goto(link);
    const offer = stranger.getByRole("status").filter({ hasText: "Ward 7" });
    await expect(offer).toHaveText(`Join Ward 7 as a member. You’ll sign in with ben-${owner}.`);
    await expect(stranger).toHaveURL(/\/join$/);
    await expectNoFindings(stranger, "an invitation");
    for (const [path, button] of [
      [`/reset-password#${TOKEN}`, "Change password"],
      [`/confirm-email#${TOKEN}`, "Confirm email"],
    ] as const) {
      await stranger.goto(path);
      await expect(stranger.getByRole("button", { name: button })).toBeVisible();
      expect(new URL(stranger.url()).hash).toBe("");
    }
    expect(scripts).toEqual([]);
    await stranger.context().close();
  });

  test("says that it doesn't work before any script loads", async ({ page }) => {
    const scripts = watchScripts(page);
    for (const [path, title] of [
      ["/join", "This invitation has expired"],
      [`/join#${TOKEN}`, "This invitation has expired"],
      ["/reset-password", "This link has expired"],
      ["/confirm-email", "This link doesn’t work"],
    ] as const) {
      await page.goto("/terms");
      await page.goto(path);
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expect(page.locator("main").getByRole("textbox")).toHaveCount(0);
      await expectNoFindings(page, path);
    }
    expect(scripts).toEqual([]);
  });
});

test("joins with a form that was filled in by keyboard and sent before the scripts", async ({
  page,
  browser,
}) => {
  const owner = await newMember(page);
  const link = await invite(page, `cat-${owner}`);
  const stranger = await (await browser.newContext()).newPage();
  const release = await delayScripts(stranger);
  const asked: string[] = [];
  stranger.on("request", (request) => {
    if (request.url().endsWith("/api/account/invitation")) {
      asked.push(request.url());
    }
  });
  await stranger.goto(link);
  await expect(stranger.getByRole("status").first()).toContainText(`cat-${owner}`);
  await stranger.getByLabel("Name (optional)").focus();
  await stranger.keyboard.type("Cat");
  await stranger.keyboard.press("Tab");
  await stranger.keyboard.type(PASSWORD);
  await stranger.keyboard.press("Enter");
  release();
  await expect(stranger).toHaveURL(/\/overview$/);
  const { profile } = await (await stranger.request.get("/api/settings")).json();
  expect(profile).toMatchObject({ name: "Cat", email: `cat-${owner}` });
  // They are limited by address.
  expect(asked).toHaveLength(1);
  await stranger.context().close();
});

test("sends a new password that was typed, and its link, before the scripts", async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto(`/reset-password#${TOKEN}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("checkbox").check();
  const sent = page.waitForRequest(RESET);
  await page.keyboard.press("Enter");
  release();
  expect((await sent).postDataJSON()).toEqual({
    ...{ token: TOKEN, password: PASSWORD },
    revoke_keys: true,
  });
  await expect(page.getByRole("region", { name: "This link has expired" })).toBeFocused();
});

test("repeats a confirmation that was clicked before the scripts", async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto(`/confirm-email#${TOKEN}`);
  const sent = page.waitForRequest((request) => isPost(request) && /confirm$/.test(request.url()));
  await page.getByRole("button", { name: "Confirm email" }).click();
  release();
  expect((await sent).postDataJSON()).toEqual({ token: TOKEN });
  await expect(page.getByRole("region", { name: "Sign in first" })).toBeFocused();
});

test("explains an invitation that can't be loaded, and keeps what was typed", async ({
  page,
  browser,
}) => {
  const owner = await newMember(page);
  const link = await invite(page, `dan-${owner}`);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.route("**/api/account/invitation", (route) => route.abort());
  await stranger.goto(link);
  const failure = stranger.getByText("The invitation couldn’t be loaded.");
  await expect(failure).toBeVisible();
  await stranger.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await stranger.unroute("**/api/account/invitation");
  await stranger.getByRole("button", { name: "Try again" }).click();
  await expect(stranger.getByRole("status").first()).toContainText(`dan-${owner}`);
  await expect(failure).toHaveCount(0);
  await expect(stranger.getByLabel("Password", { exact: true })).toHaveValue(PASSWORD);
  await stranger.context().close();
});
