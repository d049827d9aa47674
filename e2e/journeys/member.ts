import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";

export const PASSWORD = "correct horse battery staple";

function newEmail(): string {
  return `journey-${randomUUID()}@example.org`;
}

/** Makes an account by the form, on the way to the keys, and waits for them. */
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
 * A new account, for journeys of something else than signing up: made by the doors that the form uses, and at a page
 * where one is named.
 */
export async function newMember(page: Page, path?: string): Promise<string> {
  const { request } = page;
  const email = newEmail();
  const made = await request.post("/api/account/sign-up", { data: { email, password: PASSWORD } });
  expect(made.status()).toBe(201);
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

/** Makes a key by the console's own door, with all that the form proposes, and returns its secret. */
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

/** Waits until the page has its script: before that, a click does nothing, nor does what is typed. */
export async function untilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main :is(button, input, select, textarea)")].every((control) =>
      Object.keys(control).some((name) => name.startsWith("__reactProps$")),
    ),
  );
}

/** Keeps the scripts of the next page back until what is returned is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.js(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Goes to a page and waits until it can be used. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilInteractive(page);
}

/** Loads the page anew and waits until it can be used. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await untilInteractive(page);
}

export async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}

/** Makes a key by the form, puts its secret away and returns it. */
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

/** Makes keys through the console's own door, for journeys that need many. */
export async function addKeys(page: Page, names: string[]): Promise<void> {
  for (const name of names) {
    const response = await page.request.post("/api/keys", {
      data: { name, mode: "test", scopes: ["kb:search"], knowledge_scopes: ["public_kb"] },
    });
    expect(response.status()).toBe(201);
  }
}

/** The scope of a journey's list: what is visible, since a table and cards stand side by side. */
export function visible(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name }).filter({ visible: true }).first();
}

/** Spends from the account's balance: one search is one entry of its ledger. */
export async function addUsage(page: Page, secret: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const response = await page.request.post("/v1/kb/search", {
      headers: { authorization: `Bearer ${secret}` },
      data: { query: "metformin" },
    });
    expect(response.status()).toBe(200);
  }
}

/** Fails the next reads of the list of keys. */
export function breakKeyList(page: Page): Promise<() => Promise<void>> {
  return breakReads(page, /\/api\/keys(\?|$)/);
}

/** Fails the next reads of an address; returns what mends them. */
export async function breakReads(page: Page, address: RegExp): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  return () => page.unroute(address);
}

/** Lets the page believe that time has passed and that its window was looked at again. */
export async function comeBackLater(page: Page): Promise<void> {
  await page.clock.fastForward("01:00");
  await lookAgain(page);
}

function lookAgain(page: Page): Promise<void> {
  return page.evaluate(() => void window.dispatchEvent(new Event("visibilitychange")));
}

/**
 * Lets the page's clock run until it has given up trying again; the answers themselves take real time. A read that
 * was under way before reads were broken stands for the next one, so the window is looked at until it shows.
 */
export async function untilShown(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(5000);
    if (!(await shown.isVisible())) {
      await lookAgain(page);
    }
    await expect(shown).toBeVisible({ timeout: 500 });
  }).toPass();
}

/**
 * Presses "Try again" until the failure is gone. A read that is under way keeps the button from being pressed, and may
 * itself succeed.
 */
export async function tryAgain(failure: Locator): Promise<void> {
  await expect(async () => {
    if (await failure.isVisible()) {
      await failure.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
    }
    await expect(failure).toBeHidden({ timeout: 2000 });
  }).toPass();
}
