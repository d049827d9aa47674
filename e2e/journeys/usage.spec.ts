import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { expectNoFindings } from "./axe";
import {
  addKey,
  addUsage,
  breakReads,
  chooseOption,
  comeBackLater,
  newMember,
  reload,
  tryAgain,
  untilInteractive,
  untilShown,
} from "./member";

const QUESTION = "What are the signs of a stroke?";

/** Creates a member with an unused key. Returns the key's secret. */
async function start(page: Page, name = "Intake assistant"): Promise<string> {
  await newMember(page);
  return addKey(page, name);
}

/** Requests a cited answer. Returns the request id. */
async function ask(page: Page, secret: string, more: object = {}): Promise<string> {
  const response = await page.request.post("/v1/chat/completions", {
    headers: { authorization: `Bearer ${secret}` },
    data: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: QUESTION }],
      citations: { enabled: true },
      ...more,
    },
  });
  expect(response.status()).toBe(200);
  return response.headers()["x-request-id"] ?? "";
}

/** Opens a page of the log and waits until it's interactive, including its filters. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilInteractive(page);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main select")].every((select) =>
      Object.keys(select).some((name) => name.startsWith("__reactProps$")),
    ),
  );
}

/** The log's rows, newest first, without the header. */
function rows(page: Page) {
  return page
    .getByRole("table", { name: /^Requests/ })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
}

function total(page: Page) {
  return page.getByRole("region", { name: /^Total/ });
}

test("logs API requests and stores the filters in the URL", {
  tag: "@main",
}, async ({ page }) => {
  const secret = await start(page);
  await ask(page, secret);
  await addUsage(page, secret, 2);
  await open(page, "/usage");
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(2)).toContainText(
    /Cited chat.*footnote-extract-1.*Intake assistant.*Succeeded.*ms.*\$0\.0000/,
  );
  await expect(total(page)).toContainText(/Requests\s*3/);

  await chooseOption(page, /^Kind/, "Search");
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/\/usage\?kind=search$/);
  await expect(total(page)).toContainText("$0.001");
  await chooseOption(page, /^Status/, "Failed (any code)");
  await expect(page.getByRole("heading", { name: "No matching requests" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^No requests$/ })).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Export CSV" })).toBeHidden();
  await page.goBack();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByLabel("Status")).toHaveText("Any status");

  await reload(page);
  await expect(page.getByRole("combobox", { name: /^Kind/ })).toHaveText("Search");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page).toHaveURL(/\/usage$/);
  const keys = page.getByRole("combobox", { name: /^Key/ });
  await keys.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("listbox", { name: "Key" })).toBeVisible();
  await expectNoFindings(page, "an open list of keys");
  await page.keyboard.press("Escape");
  await expect(keys).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("intake");
  await page.keyboard.press("Enter");
  await expect(keys).toBeFocused();
  await expect(page).toHaveURL(/\?key=key_\w+$/);
  await chooseOption(page, /^Model/, "footnote-extract-1");
  await expect(rows(page)).toHaveCount(1);
});

test("explains a refused request and finds it by its id", { tag: "@main" }, async ({ page }) => {
  const secret = await start(page);
  const refused = await page.request.post("/v1/chat/completions", {
    headers: { authorization: `Bearer ${secret}` },
    data: { model: "footnote-extract-1" },
  });
  expect(refused.status()).toBe(400);
  const { message } = (await refused.json()).error;
  const id = refused.headers()["x-request-id"] ?? "";
  await expect(async () => {
    await open(page, "/usage");
    await expect(rows(page)).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await expect(rows(page)).toContainText(/Refused.*400 invalid_request/);
  await expect(total(page)).toContainText("1 of them refused");
  const errors = page.getByRole("region", { name: "Top errors" });
  await expect(errors).toContainText("/v1/chat/completions");
  await page.getByLabel("Find by request ID").fill(id);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Why it was refused" })).toContainText(message);
  await expect(page.getByRole("link", { name: "How to fix invalid_request" })).toBeVisible();
  await expectNoFindings(page, "a refused request");
  await page.getByRole("article").getByRole("link", { name: "Intake assistant" }).click();
  await expect(page).toHaveURL(/\/keys\/key_\w+$/);
  await expect(rows(page)).toContainText(/Refused.*400 invalid_request/);
  await expect(page.getByRole("columnheader", { name: "Key", exact: true })).toHaveCount(0);
});

test("filters by a preset or custom date range and ignores an invalid one", async ({ page }) => {
  const secret = await start(page);
  await addUsage(page, secret, 1);
  await open(page, "/usage?days=7");
  await expect(rows(page)).toHaveCount(1);
  await chooseOption(page, /^Days/, "Custom range");
  await expect(page).toHaveURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  const to = await page.getByLabel("To", { exact: true }).inputValue();
  const address = page.url();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByText("Choose a start date before the end date")).toBeVisible();
  expect(page.url()).toBe(address);
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await expect(page.getByRole("heading", { name: "No matching requests" })).toBeVisible();
  await expect(page).toHaveURL(/\?from=2020-01-01&to=2020-01-01$/);
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByLabel("From", { exact: true }).fill(to);
  await expect(rows(page)).toHaveCount(1);

  await open(page, "/usage?kind=nonsense&days=x&from=2026-02-30&key=%00");
  await expect(rows(page)).toHaveCount(1);
});

test("shows a request's details, cost and sources", async ({ page }) => {
  const secret = await start(page);
  const id = await ask(page, secret);
  await open(page, "/usage");
  await rows(page).first().getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/usage/${id}$`));
  await expect(page.getByRole("heading", { name: "Request", level: 1 })).toBeVisible();
  await expect(page.getByText(id, { exact: true })).toBeVisible();
  const cost = page.getByRole("region", { name: "Cost" });
  await expect(cost).toContainText(/Input tokens.*\$0\.05 \/ 1,000,000/);
  await expect(cost).toContainText(/Output tokens.*\$0\.20 \/ 1,000,000/);
  await expect(cost.getByRole("row", { name: /^Charged/ })).toContainText(/\$0\.0000\d\d/);
  await expect(page.getByRole("region", { name: "Time" })).toContainText(/Retrieval.*Model.*Total/);
  const passages = page.getByRole("region", { name: "Passages" });
  await expect(passages.getByRole("listitem").first()).toContainText(/\[1\]Stroke.*Public.*Cited/s);
  await expect(passages.getByRole("link").first()).toHaveAttribute("href", /\?quote=\d+-\d+-/);
  await expect(page.getByRole("region", { name: "Checks" })).toContainText(/Supported \d+/);
  await expect(page.getByRole("region", { name: "Answer" })).toContainText(
    "Messages and answers aren’t stored unless the request sets store: true.",
  );
  expect(await page.content()).not.toContain(QUESTION);
  await page.getByRole("link", { name: "Usage" }).first().click();
  await expect(rows(page)).toHaveCount(1);
});

test("shows a stored answer with its verdicts, quotes and question", {
  tag: "@main",
}, async ({ page }) => {
  const secret = await start(page);
  const id = await ask(page, secret, { store: true });
  await open(page, `/usage/${id}`);
  await expect(page.getByRole("region", { name: "Messages" })).toContainText(QUESTION);
  const search = page.getByRole("region", { name: "Search", exact: true });
  await expect(search).toContainText(`Searched for ${QUESTION}`);
  await expect(search).toContainText("Used the last message as is.");
  const answer = page.getByRole("region", { name: "Answer" });
  await expect(answer).toContainText("face");
  await expect(answer.getByLabel(/^Verification/)).toContainText(/are supported by their sources/);
  const sources = answer.getByLabel(/^Sources/);
  await expect(sources.getByRole("listitem").first()).toContainText(
    /^\[1\]Stroke.*Open the quote/s,
  );
  await expect(sources.locator("mark").first()).toBeVisible();
  await expectNoFindings(page, "a stored answer");
});

test("shows the closest passage of a stored answer that cites nothing", async ({ page }) => {
  const id = await ask(page, await start(page), {
    messages: [
      { role: "user", content: "What is the apixaban dose for an 85-year-old who weighs 55 kg?" },
    ],
    store: true,
  });
  await open(page, `/usage/${id}`);
  const closest = page.getByRole("region", { name: "Closest passage" });
  await expect(closest.getByRole("link", { name: /^Open the document/ })).toBeVisible();
});

test("deletes a stored answer after confirmation but preserves its usage record", async ({
  page,
}) => {
  const secret = await start(page);
  const id = await ask(page, secret, { store: true });
  await open(page, `/usage/${id}`);
  const remove = page.getByRole("button", { name: "Delete stored answer…" });
  await remove.click();
  const dialog = page.getByRole("alertdialog", { name: "Delete the stored answer?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectNoFindings(page, "the question before an answer is deleted");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await expect(page.getByRole("region", { name: "Messages" })).toContainText(QUESTION);

  await remove.click();
  await dialog.getByRole("button", { name: "Delete answer" }).click();
  const answer = page.getByRole("region", { name: "Answer" });
  await expect(answer).toContainText("The stored answer and its evidence were deleted");
  await expect(remove).toHaveCount(0);
  await expect(page.getByText(QUESTION)).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Checks" })).toContainText(/Supported \d+/);
  await reload(page);
  await expect(answer).toContainText("The stored answer and its evidence were deleted");
  await expect(page.getByRole("region", { name: "Cost" })).toContainText("Charged");
  const listed = await page.request.get("/v1/chat/completions", {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect((await listed.json()).data).toEqual([]);
});

test("reports a stored answer that couldn't be deleted and allows a retry", async ({ page }) => {
  const secret = await start(page);
  const id = await ask(page, secret, { store: true });
  await open(page, `/usage/${id}`);
  await page.route("**/api/usage/answers/*", (route) => route.abort());
  await page.getByRole("button", { name: "Delete stored answer…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Delete answer" }).click();
  await expect(dialog.getByRole("alert")).toContainText("We couldn’t delete the answer.");
  await page.unroute("**/api/usage/answers/*");
  await dialog.getByRole("button", { name: "Delete answer" }).click();
  await expect(page.getByRole("region", { name: "Answer" })).toContainText(
    "The stored answer and its evidence were deleted",
  );
});

test("exports the filtered log as CSV", async ({ page }) => {
  const secret = await start(page, "=1+1");
  const id = await ask(page, secret);
  await addUsage(page, secret, 2);
  await open(page, "/usage?kind=grounded");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^footnote-usage-[\d-]+-to-[\d-]+\.csv$/);
  const text = await readFile(await download.path(), "utf8");
  const records = parse<Record<string, string>>(text, { columns: true });
  expect(records).toMatchObject([{ id, kind: "grounded", key_name: "'=1+1", status: "200" }]);
});

test("doesn't find a request that is nonexistent or another account's", async ({
  page,
  browser,
}) => {
  const id = await ask(page, await start(page), { store: true });
  const context = await browser.newContext();
  const other = await context.newPage();
  await newMember(other);
  for (const path of [`/usage/${id}`, "/usage/req_none", "/usage/%25%27%20OR%20true"]) {
    const response = await other.goto(path);
    expect(response?.status(), path).toBe(404);
    const heading = other.getByRole("heading", { name: "Request not found" });
    await expect(heading).toBeVisible();
    await expect(other.getByText(QUESTION)).toHaveCount(0);
  }
  await other.getByRole("link", { name: "View all requests" }).click();
  await expect(
    other.getByRole("heading", { name: "No requests in the last 30 days" }),
  ).toBeVisible();
  await expect(other.getByRole("link", { name: "Make a request" })).toHaveAttribute(
    "href",
    "/start",
  );
  await context.close();

  await page.context().clearCookies();
  await page.goto(`/usage/${id}`);
  await expect(page).toHaveURL(new RegExp(`/sign-in\\?callbackUrl=%2Fusage%2F${id}$`));
});

test("loads a long log page by page, renders only visible rows and preserves focus", async ({
  page,
}) => {
  test.slow();
  const secret = await start(page);
  await addUsage(page, secret, 220);
  await open(page, "/usage");
  await expect(page.getByText("Showing 50 requests")).toBeVisible();
  const restore = await breakReads(page, /\/api\/usage\?/);
  await page.getByRole("button", { name: "Load more" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "Couldn’t load more requests" });
  await expect(failure).toBeVisible({ timeout: 15_000 });
  await restore();
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Showing 150 requests")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("220 requests", { exact: true })).toBeVisible();
  await expect.poll(() => rows(page).count()).toBeLessThan(120);

  const table = page.getByRole("table", { name: /^Requests/ });
  await expect(table).toHaveAttribute("aria-rowcount", "221");
  const last = table.locator('[aria-rowindex="221"]');
  await page.keyboard.press("End");
  await expect(last).toBeVisible();
  const link = last.getByRole("link");
  await link.focus();
  // Rows that appear on the way can end the browser's smooth scrolling.
  await expect(async () => {
    await page.keyboard.press("Home");
    await expect(table.locator('[aria-rowindex="2"]')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(link).toBeFocused();
  const box = await rows(page).first().boundingBox();
  expect(box?.height).toBeGreaterThan(30);
});

test("filters the log and opens a request with the keyboard alone", async ({ page }) => {
  const secret = await start(page);
  const id = await ask(page, secret);
  await open(page, "/usage");
  await page.getByRole("combobox", { name: /^Kind/ }).focus();
  await page.keyboard.type("Ci");
  await expect(page.getByRole("option")).toHaveText(["Cited chat"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/kind=grounded/);
  const link = rows(page).first().getByRole("link");
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    if (await link.evaluate((element) => element === document.activeElement)) {
      break;
    }
  }
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/usage/${id}$`));
});

test("still shows the last log, with a notice, when refreshing fails", async ({ page }) => {
  await page.clock.install();
  const secret = await start(page);
  await addUsage(page, secret, 1);
  await open(page, "/usage");
  const restore = await breakReads(page, /\/api\/usage/);
  await comeBackLater(page);
  const failure = page.getByRole("alert").filter({ hasText: "This list may be out of date." });
  await untilShown(page, failure);
  await expect(rows(page)).toHaveCount(1);
  await chooseOption(page, /^Kind/, "Search");
  const unread = (what: string) =>
    page.getByRole("alert").filter({ hasText: `We couldn’t load ${what}` });
  await untilShown(page, unread("these requests"));
  await untilShown(page, unread("the totals"));
  // Old totals are dimmed while new ones are loading.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expectNoFindings(page, "failed");
  await restore();
  await tryAgain(unread("the totals"));
  await expect(total(page)).toContainText("$0.0005");
  await tryAgain(unread("these requests"));
  await expect(rows(page)).toHaveCount(1);
});

test("charts a week by hour, groups it, and narrows to what was clicked", async ({ page }) => {
  await addUsage(page, await start(page, "First"), 1);
  const second = await addKey(page, "Second");
  await addUsage(page, second, 3);
  await open(page, "/usage?days=7");
  await expect(page.getByRole("figure", { name: "Requests by hour" })).toBeVisible();
  await chooseOption(page, /^Group charts by/, "Key");
  await expect(page).toHaveURL(/days=7&group_by=key$/);
  const chart = page.getByRole("figure", { name: "Requests by hour" });
  await chart.getByRole("button", { name: "Second" }).click();
  await expect(page).toHaveURL(/key=key_\w+&days=7&group_by=key$/);
  await expect(total(page)).toContainText(/Requests\s*3/);
  await chart.getByText("Show as table").click();
  await chart.getByRole("row").last().getByRole("button").click();
  await expect(page).toHaveURL(/from=(\d{4}-\d\d-\d\d)&to=\1&group_by=key$/);
  await expect(total(page)).toContainText(/Requests\s*3/);
});

test.describe("@phone", () => {
  test("has no axe violations or horizontal overflow on the log and a request", async ({
    page,
  }) => {
    test.slow();
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    const secret = await start(page, "A name that is much longer than any telephone is wide");
    await open(page, "/usage");
    await expectNoFindings(page, "empty");
    const id = await ask(page, secret);
    await addUsage(page, secret, 3);
    await reload(page);
    await expect(rows(page)).toHaveCount(4);
    // The chart renders once its code has loaded.
    await expect(page.locator("figure svg").first()).toBeVisible();
    await expectNoFindings(page, "filled");
    await page.getByText("Show as table").first().click();
    await expect(page.getByRole("table", { name: "Spend by day (UTC)" })).toBeVisible();
    await expectNoFindings(page, "with a chart's table");
    expect(await fits(), "filled").toBe(true);
    await open(page, "/usage?status=5xx&from=2026-01-01&to=2026-02-01");
    await expectNoFindings(page, "no match");
    expect(await fits(), "no match").toBe(true);
    await open(page, `/usage/${id}`);
    await expectNoFindings(page, "a request");
    expect(await fits(), "a request").toBe(true);
  });
});

test("shares a stored answer with a stranger, and takes it back", async ({ page, browser }) => {
  const id = await ask(page, await start(page), { store: true });
  await page.goto("/settings/data");
  await untilInteractive(page);
  const allow = page.getByRole("checkbox", { name: "Allow sharing by link" });
  await allow.check();
  await expect(allow).toBeEnabled();
  await open(page, `/usage/${id}`);
  await page.getByRole("button", { name: "Share…" }).click();
  const dialog = page.getByRole("dialog", { name: "Share by link" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = dialog.getByRole("listitem").locator("code");
  await expect(link).toContainText("/s/");
  await expectNoFindings(page, "the sharing dialog");

  const stranger = await (await browser.newContext()).newPage();
  const path = new URL((await link.textContent()) ?? "").pathname;
  await stranger.goto(path);
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText(QUESTION);
  await expect(stranger.getByRole("region", { name: "Sources" })).toBeVisible();
  await expectNoFindings(stranger, "a shared answer");
  const quote = stranger.getByRole("link", { name: /^Open the quote/ }).first();
  const printed = () => quote.evaluate((link) => getComputedStyle(link, "::after").content);
  expect(await printed()).toBe("none");
  await stranger.emulateMedia({ media: "print" });
  expect(await printed()).toMatch(/^"https?:\/\/.*\/documents\/doc_\w+\?quote=/);

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  expect((await stranger.goto(path))?.status()).toBe(404);
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText(
    "This link no longer works.",
  );
  await stranger.context().close();
});

test("links a passage of the account's own document that a stranger can open", async ({
  page,
  browser,
}) => {
  await newMember(page);
  const { request } = page;
  await request.post("/api/settings/sharing", { data: { is_enabled: true } });
  const made = await request.post("/api/keys", {
    data: {
      ...{ name: "Ward handbook", mode: "live", knowledge_scopes: ["customer_kb"] },
      scopes: ["chat:completions", "kb:documents:write", "kb:documents:read"],
    },
  });
  const { secret, key } = await made.json();
  const headers = { authorization: `Bearer ${secret}` };
  const text = "# Visits\n\nVisitors come from 14:00.\n\n# Staff\n\nThe safe opens with 4711.";
  const uploaded = await request.post("/v1/kb/documents", {
    headers,
    multipart: {
      scope: "customer_kb",
      title: "Ward handbook",
      file: { name: "ward.md", mimeType: "text/markdown", buffer: Buffer.from(text) },
    },
  });
  const { job_id } = await uploaded.json();
  await request.get(`/v1/kb/jobs/${job_id}?wait=30`, { headers });
  const answer = await request.post("/v1/chat/completions", {
    headers,
    data: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "From when do visitors come?" }],
      citations: { enabled: true, render: "links" },
    },
  });
  const { content } = (await answer.json()).choices[0].message;
  const [, path = ""] = /\]\(http:\/\/[^/]+(\/s\/[^)]+)\)/.exec(content) ?? [];

  const stranger = await (await browser.newContext()).newPage();
  const opened = await stranger.goto(path);
  expect(opened?.headers()["cache-control"]).toContain("no-store");
  await expect(stranger.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText("Ward handbook");
  await expect(stranger.locator("blockquote")).toContainText("Visitors come from 14:00.");
  expect(await stranger.content()).not.toContain("4711");
  await expectNoFindings(stranger, "a linked quote");

  await request.post(`/api/keys/${key.id}/revoke`, { data: {} });
  expect((await stranger.goto(path))?.status()).toBe(404);
  await stranger.context().close();
});
