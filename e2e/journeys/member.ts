import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";

export const PASSWORD = "correct horse battery staple";

function newEmail(): string {
  return `journey-${randomUUID()}@example.org`;
}

/** Signs up with the form, returning to the API keys page, and waits for it. */
export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await page.goto("/sign-up?callbackUrl=%2Fkeys");
  await untilInteractive(page);
  await fillIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/keys$/);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await untilInteractive(page);
  return email;
}

/**
 * Creates an account through the form's API routes, for journeys that don't test sign-up, and opens a page if given
 * its path. Returns the email.
 */
export async function newMember(page: Page, path?: string): Promise<string> {
  const { request } = page;
  const email = newEmail();
  const created = await request.post("/api/account/sign-up", {
    data: { email, password: PASSWORD },
  });
  expect(created.status()).toBe(202);
  const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
  const signedIn = await request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password: PASSWORD, json: "true" },
  });
  expect(signedIn.ok()).toBe(true);
  if (path) {
    await visit(page, path);
    await expect(page).toHaveURL((url) => url.pathname === path);
  }
  return email;
}

/** Creates a key through the console's API with the form's defaults and returns its secret. */
export async function addKey(page: Page, name: string): Promise<string> {
  const response = await page.request.post("/api/keys", {
    data: {
      name,
      mode: "live",
      scopes: ["chat:completions", "kb:search"],
      knowledge_scopes: ["public_kb", "customer_kb"],
    },
  });
  expect(response.status()).toBe(201);
  return (await response.json()).secret;
}

/** Waits until the page is hydrated. Public pages load their scripts when the reader does something, such as move the pointer. */
export async function untilInteractive(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("pointermove")));
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main :is(button, input, select, textarea)")].every((control) =>
      Object.keys(control).some((name) => name.startsWith("__reactProps$")),
    ),
  );
}

/** Chooses an option of a listbox, by its name or the beginning of it. */
export async function chooseOption(
  page: Page,
  label: string | RegExp,
  name: string,
): Promise<void> {
  const box = page.getByRole("combobox", { name: label });
  await box.click();
  const options = page.getByRole("option", { name });
  await expect(options.first()).toBeVisible();
  // Some show how many there are after their name.
  const exact = page.getByRole("option", { name, exact: true });
  await ((await exact.count()) > 0 ? exact : options).first().click();
  // Not the box, which may be gone with what was chosen.
  await expect(options.first()).toBeHidden();
}

/** Delays the next page's scripts until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.js(\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Opens a page and waits until it's interactive. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilInteractive(page);
}

/** Reloads the page and waits until it's interactive. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await untilInteractive(page);
}

export async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}

/** Creates a key with the form, closes the secret's dialog and returns the secret. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await readSecret(page);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(dialog).toBeHidden();
  return secret;
}

export async function readSecret(page: Page): Promise<string> {
  const secret = page.getByRole("region", { name: "Secret" }).getByRole("code");
  await expect(secret).toHaveText(/^footnote_(live|test)_\w{49}$/);
  return (await secret.textContent()) ?? "";
}

/** Creates keys through the console's API, for journeys that need many. */
export async function addKeys(page: Page, names: string[]): Promise<void> {
  for (const name of names) {
    const response = await page.request.post("/api/keys", {
      data: { name, mode: "test", scopes: ["kb:search"], knowledge_scopes: ["public_kb"] },
    });
    expect(response.status()).toBe(201);
  }
}

/** Chooses an action from a key's menu in the list. */
export async function actOnKey(page: Page, action: string, name: string): Promise<void> {
  await visible(page, `Actions for ${name}`).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** The visible button with this name. Lists render both a table and cards, and hide one of them. */
export function visible(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name }).filter({ visible: true }).first();
}

/** Spends from the account's balance. Each search adds one ledger entry. */
export async function addUsage(page: Page, secret: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const response = await page.request.post("/v1/kb/search", {
      headers: { authorization: `Bearer ${secret}` },
      data: { query: "metformin" },
    });
    expect(response.status()).toBe(200);
  }
}

/** Fails the next reads of the key list. Returns a function that restores them. */
export function breakKeyList(page: Page): Promise<() => Promise<void>> {
  return breakReads(page, /\/api\/keys(\?|$)/);
}

/** Fails the next reads of an address. Returns a function that restores them. */
export async function breakReads(page: Page, address: RegExp): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  return () => page.unroute(address);
}

/** Simulates a user who returns to the window after a minute. */
export async function comeBackLater(page: Page): Promise<void> {
  await page.clock.fastForward("01:00");
  await triggerRefetch(page);
}

function triggerRefetch(page: Page): Promise<void> {
  return page.evaluate(() => void window.dispatchEvent(new Event("visibilitychange")));
}

/**
 * Advances the page's clock until its retries are used up; the responses themselves take real time. A read that began
 * before reads were broken can still succeed, so this triggers further reads until the element shows.
 */
export async function untilShown(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(5000);
    if (!(await shown.isVisible())) {
      await triggerRefetch(page);
    }
    await expect(shown).toBeVisible({ timeout: 500 });
  }).toPass();
}

/**
 * Clicks "Try again" until the failure disappears. The button can't be clicked during a read, which may itself
 * succeed.
 */
export async function tryAgain(failure: Locator): Promise<void> {
  await expect(async () => {
    if (await failure.isVisible()) {
      await failure.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
    }
    await expect(failure).toBeHidden({ timeout: 2000 });
  }).toPass();
}
