import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  actOnKey,
  addKey,
  addKeys,
  breakKeyList,
  chooseOption,
  comeBackLater,
  createKey,
  newMember,
  readSecret,
  reload,
  signUp,
  tryAgain,
  untilShown,
  visible,
  visit,
} from "./member";

function ask(request: APIRequestContext, secret: string) {
  return request.post("/v1/chat/completions", {
    headers: { authorization: `Bearer ${secret}` },
    data: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What is the first-line treatment of anaphylaxis?" }],
      citations: { enabled: true },
    },
  });
}

test("creates a key, calls the API with it, and rejects it once revoked", {
  tag: "@main",
}, async ({ page, request }) => {
  await signUp(page);
  const secret = await createKey(page, "Intake assistant");

  const answered = await ask(request, secret);
  expect(answered.status()).toBe(200);
  const { citations, choices } = await answered.json();
  expect(citations.length).toBeGreaterThan(0);
  expect(choices[0].message.content).toContain("[1]");

  await reload(page);
  const row = page.getByRole("row", { name: /Intake assistant/ });
  await expect(row).toContainText("Active");
  await expect(row).toContainText("just now");

  await actOnKey(page, "Revoke", "Intake assistant");
  const question = page.getByRole("alertdialog", { name: "Revoke “Intake assistant”?" });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await question.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Key “Intake assistant” revoked")).toBeVisible();
  await expect(row).toContainText("Revoked");
  await expect(row.getByRole("button", { name: /^Actions/ })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Keys" })).toBeFocused();

  const refused = await ask(request, secret);
  expect(refused.status()).toBe(403);
  expect((await refused.json()).error.code).toBe("invalid_api_key");
});

test("shows a secret once, until the user confirms saving it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await newMember(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Nightly evaluation");
  await page.getByLabel("Name").press("Enter");
  const secret = await readSecret(page);

  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  const dialog = page.getByRole("dialog", { name: "Save your key" });
  await expect(dialog).toBeVisible();
  await page.getByRole("button", { name: "Copy key" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expect(dialog).toContainText(`curl ${new URL(page.url()).origin}/v1/chat/completions`);

  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(page.getByRole("row", { name: /Nightly evaluation/ })).toBeVisible();
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  );
  await reload(page);
  for (const place of [page.url(), stored, await page.content()]) {
    expect(place).not.toContain(secret);
  }
});

test("creates a key with the settings in the form", async ({ page }) => {
  const email = await newMember(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Public + personal documents" }).check();
  await expect(dialog.getByRole("radio", { name: "Me", exact: true })).toBeChecked();
  await expect(dialog).toContainText(email);
  await dialog.getByRole("radio", { name: "Someone else" }).check();
  await dialog.getByRole("radio", { name: "Choose scopes" }).check();
  await dialog.getByRole("checkbox", { name: "billing:read" }).check();
  const advanced = dialog.getByText("Advanced", { exact: false }).first();
  await advanced.click();
  await dialog.getByRole("radio", { name: "Selected models" }).check();
  await dialog.getByRole("radio", { name: "On a date" }).check();
  await advanced.click();
  await expect(dialog.getByRole("radio", { name: "On a date" })).toBeHidden();
  await dialog.getByRole("button", { name: "Create key" }).click();

  await expect(dialog.getByLabel("Name")).toBeFocused();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/Name the key/);
  await expect(dialog.getByText("Choose at least one model.")).toBeVisible();
  await expect(dialog.getByText("Choose an expiration date.")).toBeVisible();

  await dialog.getByLabel("Name").fill("Patient portal");
  await dialog.getByLabel("Person reference").fill("patient-123");
  await dialog.getByRole("checkbox", { name: "footnote-extract-1" }).check();
  await dialog.getByLabel("Last day").fill("2030-01-31");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I’ve saved it" }).click();

  await page.getByRole("link", { name: "Patient portal", exact: true }).click();
  const details = page.getByRole("article", { name: "Patient portal" });
  for (const fact of ["billing:read", "personal_kb", "patient-123", "footnote-extract-1", email]) {
    await expect(details).toContainText(fact);
  }
  await expect(details).toContainText("31 Jan 2030, 23:59:59");
});

test("changes a key's name, budget, limits and models, but not its scopes", async ({
  page,
  request,
}) => {
  await newMember(page, "/keys");
  const secret = await createKey(page, "Draft");
  await actOnKey(page, "Edit", "Draft");
  const dialog = page.getByRole("dialog", { name: "Edit “Draft”" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByLabel("Name").fill("");
  await dialog.getByLabel("Requests per minute").fill("9,999,999");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/Name the key/);

  await dialog.getByLabel("Name").fill("Ward round");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Requests per minute")).toHaveAccessibleDescription(
    /at most [\d,]+ per minute/,
  );
  await expect(dialog.getByLabel("Requests per minute")).toBeFocused();

  await dialog.getByLabel("Requests per minute").fill("2");
  await dialog.getByLabel("Tokens per minute").fill("100,000");
  await dialog.getByLabel("Monthly budget (USD)").fill("$12.50");
  await dialog.getByRole("radio", { name: "Selected models" }).check();
  await dialog.getByRole("checkbox", { name: "footnote-extract-1" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Key “Ward round” saved")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions for Ward round" })).toBeFocused();

  await reload(page);
  await expect(page.getByRole("row", { name: /Ward round/ })).toContainText("of $12.50");
  await page.getByRole("link", { name: "Ward round", exact: true }).click();
  const details = page.getByRole("article", { name: "Ward round" });
  for (const fact of ["2 requests per minute", "100,000 tokens per minute", "kb:search"]) {
    await expect(details).toContainText(fact);
  }
  const statuses = [];
  for (let time = 0; time < 3; time += 1) {
    statuses.push((await ask(request, secret)).status());
  }
  expect(statuses).toEqual([200, 200, 429]);
});

/** Calls the API in a loop with the client's current secret until stopped. */
function startClient(request: APIRequestContext, secret: string) {
  const client = { secret, statuses: [] as number[], isStopped: false, done: Promise.resolve() };
  const work = async () => {
    while (!client.isStopped) {
      const response = await request.get("/v1/models", {
        headers: { authorization: `Bearer ${client.secret}` },
      });
      client.statuses.push(response.status());
    }
  };
  client.done = work();
  return client;
}

/** Rotates a key, choosing when its current secret ends, and returns the new one. */
async function rotate(page: Page, name: string, end: string): Promise<string> {
  await actOnKey(page, "Rotate", name);
  const dialog = page.getByRole("dialog", { name: `Rotate “${name}”` });
  await dialog.getByRole("radio", { name: end }).check();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect(page.getByRole("dialog", { name: "Save the new secret" })).toBeVisible();
  const secret = await readSecret(page);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  return secret;
}

test("rotates a key in use without failing any of its requests", {
  tag: "@main",
}, async ({ page, request }) => {
  await newMember(page, "/keys");
  const first = await createKey(page, "Busy");
  const client = startClient(request, first);
  const usesOf = (count: number) =>
    expect.poll(() => client.statuses.length).toBeGreaterThanOrEqual(count);
  await usesOf(3);
  const second = await rotate(page, "Busy", "In 24 hours");
  expect(second).not.toBe(first);
  await expect(page.getByRole("button", { name: "Actions for Busy" })).toBeFocused();
  await usesOf(client.statuses.length + 3);
  client.secret = second;
  await usesOf(client.statuses.length + 3);
  client.isStopped = true;
  await client.done;
  expect(client.statuses.filter((status) => status !== 200)).toEqual([]);

  const row = page.getByRole("row", { name: /Busy/ });
  await expect(row).toContainText(`…${first.slice(-4)} until`);
  await expect(row).toContainText(`footnote_live_…${second.slice(-4)}`);
  await reload(page);
  expect(await page.content()).not.toContain(second);

  const statusOf = async (secret: string) => (await ask(request, secret)).status();
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  const third = await rotate(page, "Busy", "Now");
  await expect(row).not.toContainText("until");
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
    403, 403, 200,
  ]);
  const fourth = await rotate(page, "Busy", "In 7 days");
  await actOnKey(page, "Revoke", "Busy");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("Revoked");
  expect([await statusOf(third), await statusOf(fourth)]).toEqual([403, 403]);
});

test("reports a failed rotation and leaves the key unchanged", async ({ page }) => {
  await newMember(page, "/keys");
  const secret = await createKey(page, "Kept");
  await page.route("**/rotate", (route) => route.abort());
  await actOnKey(page, "Rotate", "Kept");
  await page.getByRole("button", { name: "Rotate key" }).click();
  await expect(
    page.getByText("The key wasn’t rotated. We couldn’t reach the server."),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name: /Kept/ })).toContainText(secret.slice(-4));
});

test("creates a key with the keyboard alone", async ({ page }) => {
  await newMember(page, "/keys");
  await reload(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("By hand");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Test" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy key" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "I’ve saved it" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /By hand.*Test/ })).toBeVisible();
});

test("preserves a partly filled form after an outside click or a failed request", async ({
  page,
}) => {
  await newMember(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Half done");
  await page.mouse.click(5, 5);
  await expect(page.getByLabel("Name")).toHaveValue("Half done");
  await page.route("**/api/keys", (route) => route.abort());
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("We couldn’t reach the server.")).toBeInViewport();
  await expect(page.getByLabel("Name")).toHaveValue("Half done");
});

test("loads a long list page by page and retries a page that failed", async ({ page }) => {
  await newMember(page, "/keys");
  await addKeys(
    page,
    Array.from({ length: 51 }, (_, index) => `Service ${index + 1}`),
  );
  await reload(page);
  await expect(page.getByText("Showing 50 keys")).toBeVisible();

  const restore = await breakKeyList(page);
  await page.getByRole("button", { name: "Load more" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "Couldn’t load more keys." });
  await expect(failure).toBeVisible({ timeout: 15_000 });
  await restore();
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("51 keys", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /Service 1 / })).toBeVisible();
});

test("still shows the last list, with a notice, when refreshing fails", async ({ page }) => {
  await page.clock.install();
  await newMember(page);
  await addKeys(page, ["Kept"]);
  await visit(page, "/keys");
  const restore = await breakKeyList(page);
  await comeBackLater(page);
  const failure = page.getByRole("alert").filter({ hasText: "This list may be out of date." });
  await untilShown(page, failure);
  await expect(page.getByRole("row", { name: /Kept/ })).toBeVisible();
  await restore();
  await tryAgain(failure);
});

test("@phone creates and revokes keys on a phone without horizontal overflow", {
  tag: "@main",
}, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  for (const path of ["/", "/sign-in", "/sign-up"]) {
    await page.goto(path);
    expect(await fits(), path).toBe(true);
  }
  await newMember(page, "/keys");
  expect(await fits(), "/keys, empty").toBe(true);
  await createKey(page, "A name that is much longer than any telephone is wide, in one line");
  expect(await fits(), "/keys, filled").toBe(true);
  await expect(page.getByRole("table")).toBeHidden();

  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("averylongwordthatnobodybreaks".repeat(3));
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const secret = await page.getByRole("region", { name: "Secret" }).boundingBox();
  expect(secret?.width).toBeLessThan(375);
  await page.getByRole("button", { name: "I’ve saved it" }).click();

  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await visible(page, /^Actions for/).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Revoked" }).first()).toBeVisible();
});

test.describe("@phone changing a key", () => {
  test("fits the window without axe violations", async ({ page }) => {
    await newMember(page);
    await addKeys(page, ["Changing"]);
    await visit(page, "/keys");
    const check = async (where: string) => {
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        where,
      ).toBe(true);
      await expectNoFindings(page, where);
    };
    const dialog = page.getByRole("dialog");
    await actOnKey(page, "Edit", "Changing");
    await dialog.getByLabel("Name").fill("");
    await dialog.getByLabel("Tokens per minute").fill("many");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByLabel("Tokens per minute")).toHaveAttribute("aria-invalid", "true");
    await check("edit with errors");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await actOnKey(page, "Rotate", "Changing");
    await expect(dialog.getByRole("radio", { name: "In 24 hours" })).toBeChecked();
    await check("rotate");
    await dialog.getByRole("button", { name: "Rotate key" }).click();
    await readSecret(page);
    await check("the new secret");
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await expect(dialog).toBeHidden();
    await check("a key with a replaced secret");
    await page.getByRole("link", { name: "Changing" }).filter({ visible: true }).click();
    await expect(page.getByRole("article", { name: "Changing" })).toContainText("Works until");
    await check("the page of a key with a replaced secret");
  });
});

test("finds keys by name and mode, and keeps the filter in the URL", async ({ page }) => {
  await newMember(page);
  await addKeys(page, ["Night round", "Intake"]);
  await addKey(page, "Intake, live");
  await visit(page, "/keys");
  await page.getByLabel("Search keys").fill("intake");
  await expect(page.getByRole("row", { name: /Night round/ })).toHaveCount(0);
  await chooseOption(page, /^Mode/, "Live");
  await expect(page.getByText("1 key", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /Intake, live/ })).toBeVisible();
  await expect(page).toHaveURL(/search=intake&mode=live$/);
  await reload(page);
  await expect(page.getByText("1 key", { exact: true })).toBeVisible();
  await chooseOption(page, /^Status/, "Revoked");
  await expect(page.getByRole("heading", { name: "No matching keys" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^No keys$/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByText("3 keys", { exact: true })).toBeVisible();
});

test("@phone shows what a key used on its page, and rotates and revokes it there", async ({
  page,
  request,
}) => {
  await newMember(page);
  const secret = await addKey(page, "Ward round");
  await visit(page, "/keys");
  await page.getByRole("link", { name: "Ward round" }).filter({ visible: true }).click();
  const article = page.getByRole("article", { name: "Ward round" });
  await expect(article.getByText("No request yet")).toBeVisible();
  expect((await ask(request, secret)).status()).toBe(200);
  await reload(page);
  await expect(article.getByRole("table", { name: "Requests, newest first" })).toContainText(
    "Cited chat",
  );
  await expectNoFindings(page, "a key's page");
  await article.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("radio", { name: "In 24 hours" }).check();
  await page.getByRole("button", { name: "Rotate key" }).click();
  await readSecret(page);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(article).toContainText("Old secret in use");
  await article.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(article.getByText("Revoked", { exact: true }).first()).toBeVisible();
  await expect(article.getByRole("button", { name: "Rotate" })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
