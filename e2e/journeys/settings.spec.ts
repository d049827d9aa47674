import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  addKey,
  breakReads,
  comeBackLater,
  createKey,
  delayScripts,
  fillIn,
  newMember,
  PASSWORD,
  tryAgain,
  untilInteractive,
  untilShown,
} from "./member";

const NEW_PASSWORD = "another correct horse";

/** Opens one of the pages of the settings. */
async function openSettings(page: Page, name = ""): Promise<void> {
  await page.goto(`/settings${name && `/${name}`}`);
  await untilInteractive(page);
}

/** Opens a page in a separate browser context, as for another person or machine. */
async function anotherBrowser(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await untilInteractive(page);
  await fillIn(page, email, password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

function section(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

/** Invites someone with the form and returns the path of the displayed link. */
async function invite(page: Page, email: string, role = "Member"): Promise<string> {
  await page.getByRole("button", { name: "Invite a member" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a member" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Invite" }).click();
  const link = page.getByRole("region", { name: "Link" }).getByRole("code");
  await expect(link).toHaveText(/\/join#[\w-]{43}$/);
  const { pathname, hash } = new URL((await link.textContent()) ?? "");
  await page.getByRole("button", { name: "I’ve copied it" }).click();
  return pathname + hash;
}

/** Joins with the link and opens the settings. */
async function join(page: Page, link: string, email: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByText(email)).toBeVisible();
  await expect(page).toHaveURL(/\/join$/);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page).not.toHaveURL(/\/join/);
  await openSettings(page);
}

test("shares an account between two members and rejects a revoked invitation", {
  tag: "@main",
}, async ({ page, browser }) => {
  test.slow();
  const owner = await newMember(page);
  const [ben, cat] = [`ben-${owner}`, `cat-${owner}`];
  await openSettings(page, "account");
  await page.getByLabel("Account name").fill("Ward 7");
  await page.getByRole("button", { name: "Save account name" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();

  const link = await invite(page, ben);
  expect(await page.content()).not.toContain(link.split("#")[1]);
  const other = await anotherBrowser(browser);
  await join(other, link, ben);
  await expect(section(other, "Profile")).toContainText("Member");
  await openSettings(other, "account");
  await expect(section(other, "Members").getByRole("list", { name: "Members" })).toContainText(
    owner,
  );
  await expect(other.getByRole("button", { name: "Invite a member" })).toHaveCount(0);
  await expect(other.getByLabel("Account name")).toHaveCount(0);
  await expect(other.getByRole("button", { name: "Delete account…" })).toHaveCount(0);
  await other.goto("/billing");
  await expect(other.getByRole("button", { name: "Add funds" })).toBeVisible();

  const unwanted = await invite(page, cat);
  await page.getByRole("button", { name: `Revoke the invitation for ${cat}` }).click();
  await expect(page.getByText(`Invitation for ${cat} revoked`)).toBeVisible();
  const stranger = await anotherBrowser(browser);
  await stranger.goto(unwanted);
  await expect(
    stranger.getByRole("heading", { name: "This invitation has expired" }),
  ).toBeVisible();
  await stranger.goto("/");
  await stranger.goto(link);
  await expect(
    stranger.getByRole("heading", { name: "This invitation has expired" }),
  ).toBeVisible();

  await page.reload();
  await untilInteractive(page);
  await page.getByRole("button", { name: "Leave the account" }).click();
  await page.getByRole("button", { name: "Leave account" }).click();
  await expect(page.getByText("An account needs an owner.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await addKey(other, "Ward bot");
  await page.getByRole("button", { name: `Remove ${ben}` }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  const removed = page.getByRole("dialog", { name: `${ben} removed` });
  await expect(removed.getByRole("list", { name: "Still active" })).toContainText("Ward bot");
  await removed.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("list", { name: "Members" }).getByRole("listitem")).toHaveCount(1);
  await other.goto("/settings");
  await expect(other).toHaveURL(/\/sign-in/);
  await other.context().close();
  await stranger.context().close();
});

test("requires the current password to change it and signs out other browsers", async ({
  page,
  browser,
}) => {
  const email = await newMember(page);
  const other = await anotherBrowser(browser);
  await signIn(other, email, PASSWORD);
  await expect(other).not.toHaveURL(/\/sign-in/);

  await openSettings(page, "security");
  await expect(section(page, "Sessions").getByRole("listitem")).toHaveCount(2);
  const change = page.getByRole("button", { name: "Change password" });
  await page.getByLabel("Current password").fill("not my password");
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await change.click();
  await expect(page.getByLabel("Current password")).toHaveAccessibleDescription(
    "Wrong password. Try again.",
  );
  await expect(page.getByLabel("Current password")).toBeFocused();
  await page.getByLabel("Current password").fill(PASSWORD);
  await change.click();
  await expect(page.getByText("Password changed")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveValue("");
  await expect(section(page, "Sessions").getByRole("listitem")).toHaveCount(1);

  await other.goto("/settings");
  await expect(other).toHaveURL(/\/sign-in\?callbackUrl=%2Fsettings$/);
  await untilInteractive(other);
  await fillIn(other, email, PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByText("Wrong email or password.")).toBeVisible();
  await fillIn(other, email, NEW_PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/settings$/);
  await other.context().close();
});

test("shows how long to wait after too many wrong passwords", async ({ page }) => {
  test.slow();
  const email = await newMember(page);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await untilInteractive(page);
  for (let tries = 0; tries < 11; tries += 1) {
    await fillIn(page, email, `guess ${tries}`);
    const answered = page.waitForResponse(/callback\/credentials/);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
  }
  await expect(
    page.getByText(/Too many sign-in attempts with this email\. Wait \d+ seconds/),
  ).toBeVisible();
});

test("ends one or all other sessions", async ({ page, browser }) => {
  test.slow();
  const email = await newMember(page);
  const others = [await anotherBrowser(browser), await anotherBrowser(browser)];
  for (const other of others) {
    await signIn(other, email, PASSWORD);
    await expect(other).not.toHaveURL(/\/sign-in/);
  }
  await openSettings(page, "security");
  const sessions = section(page, "Sessions");
  await expect(sessions.getByRole("listitem")).toHaveCount(3);
  await expect(sessions.getByRole("listitem").first()).toContainText("This browser");
  await sessions
    .getByRole("button", { name: /^End Chrome/ })
    .first()
    .click();
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expect(sessions.getByRole("list")).toBeFocused();
  await sessions.getByRole("button", { name: "End all other sessions" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  for (const other of others) {
    await other.goto("/settings");
    await expect(other).toHaveURL(/\/sign-in/);
    await other.context().close();
  }
  await page.reload();
  await expect(page).toHaveURL(/\/settings\/security$/);
});

test("rejects a saved session cookie after signing out", async ({ page }) => {
  await newMember(page, "/keys");
  const cookies = await page.context().cookies();
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.context().addCookies(cookies);
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("saves a name, shows it in the account menu and rejects a blank one", async ({ page }) => {
  await newMember(page);
  await openSettings(page);
  await page.getByLabel("Your name").fill("Ana");
  await page.getByRole("button", { name: "Save your name" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();
  await expect(page.getByRole("button", { name: "Account: Ana" })).toBeVisible();
  await page
    .getByRole("navigation", { name: "Settings" })
    .getByRole("link", { name: "Account and members" })
    .click();
  await expect(page).toHaveURL(/\/settings\/account$/);
  await page.getByLabel("Account name").fill(" ");
  await page.getByRole("button", { name: "Save account name" }).click();
  await expect(page.getByLabel("Account name")).toHaveAccessibleDescription(
    /^Give the account a name\.$/,
  );
});

test("saves values typed before scripts load", async ({ page }) => {
  await newMember(page);
  const release = await delayScripts(page);
  await page.goto("/settings", { waitUntil: "commit" });
  await page.getByLabel("Your name").fill("Ana");
  release();
  await untilInteractive(page);
  await page.getByRole("button", { name: "Save your name" }).click();
  await expect(page.getByRole("button", { name: "Account: Ana" })).toBeVisible();

  const releaseAgain = await delayScripts(page);
  await page.goto("/settings/security", { waitUntil: "commit" });
  await page.getByLabel("Current password").fill("typed early");
  releaseAgain();
  await untilInteractive(page);
  await expect(page.getByLabel("Current password")).toHaveValue("typed early");
});

test("keeps the sharing box checked and focused while the change is saved", async ({ page }) => {
  await newMember(page);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/settings/sharing", async (route) => {
    await isReleased;
    await route.continue();
  });
  await openSettings(page, "data");
  const box = page.getByRole("checkbox", { name: "Allow sharing by link" });
  await box.focus();
  // At once: a moment later, the page may have been painted or clicked again.
  const isShown = await box.evaluate((input: HTMLInputElement) => {
    input.click();
    return input.checked;
  });
  expect(isShown).toBe(true);
  await expect(box).toBeDisabled();
  await expect(box).toBeFocused();
  release();
  await expect(box).toBeEnabled();
  await expect(box).toBeChecked();
  await expect(box).toBeFocused();
});

test("saves a click on the sharing box from before scripts load", async ({ page }) => {
  await newMember(page);
  const release = await delayScripts(page);
  await page.goto("/settings/data", { waitUntil: "commit" });
  const box = page.getByRole("checkbox", { name: "Allow sharing by link" });
  await box.check();
  const saved = page.waitForResponse("**/api/settings/sharing");
  release();
  expect((await saved).ok()).toBe(true);
  await expect(box).toBeEnabled();
  await expect(box).toBeChecked();
});

test("deletes an account with its keys and members once its name is typed", {
  tag: "@main",
}, async ({ page, request }) => {
  const email = await newMember(page);
  const secret = await addKey(page, "Last");
  await openSettings(page, "account");
  await page.getByLabel("Account name").fill("Short-lived");
  await page.getByRole("button", { name: "Save account name" }).click();
  await page.getByRole("button", { name: "Delete account…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Short-lived”?" });
  await expect(dialog).toContainText("Ledger entries and payments");
  await expect(dialog).toContainText("$5.00");
  await dialog.getByLabel("Type Short-lived to confirm").fill("short-lived");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByLabel("Type Short-lived to confirm")).toHaveAccessibleDescription(
    /Type the account's name exactly/,
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete account…" })).toBeFocused();

  await page.keyboard.press("Enter");
  await dialog.getByLabel("Type Short-lived to confirm").fill("Short-lived");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/$/);
  const refused = await request.get("/v1/models", {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(refused.status()).toBe(403);
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/sign-in/);
  await untilInteractive(page);
  await fillIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Wrong email or password.")).toBeVisible();
});

test("shows the activity log to owners only", async ({ page, browser }) => {
  test.slow();
  const owner = await newMember(page);
  const ben = `ben-${owner}`;
  await openSettings(page, "activity");
  const activity = section(page, "Activity");
  await expect(activity).toContainText("No activity yet.");
  await openSettings(page, "account");
  const link = await invite(page, ben);
  await openSettings(page, "activity");
  await expect(activity.getByRole("listitem").first()).toHaveText(
    new RegExp(`^${owner} invited ${ben} as a member`),
  );
  const other = await anotherBrowser(browser);
  await join(other, link, ben);
  await expect(other.getByRole("link", { name: "Account and members" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Activity" })).toHaveCount(0);
  await openSettings(other, "activity");
  await expect(other.getByText("Only owners can see")).toBeVisible();
  await other.context().close();

  await page.goto("/keys");
  await untilInteractive(page);
  await createKey(page, "Prod");
  const restore = await breakReads(page, /\/api\/settings\/activity/);
  await openSettings(page, "activity");
  await expect(activity.getByRole("alert")).toContainText("This list couldn’t be loaded.", {
    timeout: 30_000,
  });
  await restore();
  await activity.getByRole("button", { name: "Try again" }).click();
  await expect(activity.getByRole("listitem")).toHaveText([
    new RegExp(`^${owner} created the key “Prod”`),
    new RegExp(`^${ben} joined the account as a member`),
    new RegExp(`^${owner} invited ${ben} as a member`),
  ]);
});

test("still shows the last settings, with a notice, when refreshing fails", async ({ page }) => {
  await page.clock.install();
  const email = await newMember(page);
  await openSettings(page);
  const restore = await breakReads(page, /\/api\/settings$/);
  await comeBackLater(page);
  const failure = page.getByRole("alert").filter({ hasText: "This page may be out of date." });
  await untilShown(page, failure);
  await expect(section(page, "Profile")).toContainText(email);
  await restore();
  await tryAgain(failure);
});

test.describe("@phone settings and links", () => {
  test("fit the window without axe violations", async ({ page, browser }) => {
    test.slow();
    const check = async (on: Page, where: string) => {
      expect(
        await on.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        where,
      ).toBe(true);
      await expectNoFindings(on, where);
    };
    for (const path of ["/forgot-password", "/reset-password", "/join", "/confirm-email"]) {
      await page.goto(path);
      await check(page, path);
    }
    await page.goto(`/reset-password#${"A".repeat(43)}`);
    await page.getByRole("button", { name: "Change password" }).click();
    await check(page, "a new password that is missing");

    const owner = await newMember(page);
    for (const name of ["", "data", "activity"]) {
      await openSettings(page, name);
      await check(page, `settings, ${name || "profile"}`);
    }
    await openSettings(page, "security");
    await page.getByRole("button", { name: "Change password" }).click();
    await check(page, "settings with an error");
    await openSettings(page, "account");
    await page.getByRole("button", { name: "Invite a member" }).click();
    await expect(page.getByRole("dialog").getByLabel("Email")).toBeFocused();
    await check(page, "invite");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Invite a member" })).toBeFocused();
    const link = await invite(page, `ben-${owner}`, "Owner");
    await check(page, "settings with an invitation");
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await expect(other.getByRole("button", { name: "Join" })).toBeVisible();
    await check(other, "join");
    await other.context().close();
    await page.getByRole("button", { name: "Delete account…" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await check(page, "delete");
  });
});

test("shows the current page in the middle of a navigation that scrolls, and fades both its ends", {
  tag: "@phone-only",
}, async ({ page }) => {
  await newMember(page);
  await openSettings(page, "account");
  const list = page.getByRole("navigation", { name: "Settings" }).getByRole("list");
  const link = page.getByRole("link", { name: "Account and members" });
  await expect(link).toBeInViewport({ ratio: 1 });
  const [box, current] = [await list.boundingBox(), await link.boundingBox()];
  const middle = (of: typeof box) => (of ? of.x + of.width / 2 : Number.NaN);
  expect(Math.abs(middle(box) - middle(current))).toBeLessThan(24);
  const fades = await list.evaluate((element) => {
    const style = getComputedStyle(element);
    return ["--fade-before", "--fade"].map((name) => style.getPropertyValue(name));
  });
  expect(fades.map(Number.parseFloat).every((width) => width > 0)).toBe(true);
});
