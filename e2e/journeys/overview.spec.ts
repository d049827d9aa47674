import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  addKey,
  breakReads,
  comeBackLater,
  fillIn,
  newMember,
  PASSWORD,
  reload,
  untilInteractive,
  untilShown,
} from "./member";

async function openOverview(page: Page): Promise<void> {
  await page.goto("/overview");
  await untilInteractive(page);
}

function firstSteps(page: Page) {
  return page.getByRole("region", { name: "Get started" });
}

/** The names of the completed steps. */
async function doneSteps(page: Page): Promise<string[]> {
  const done = firstSteps(page).getByRole("listitem").filter({ hasText: ", done" });
  return (await done.allTextContents()).map((text) => text.replace(/^\d*|, done.*$/g, ""));
}

/** Uploads a document with a key and waits until it can be searched. */
async function upload(page: Page, secret: string): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` };
  const file = {
    ...{ name: "handbook.md", mimeType: "text/markdown" },
    buffer: Buffer.from("# Handbook\n\nThe stroke team of this ward answers on extension 4711.\n"),
  };
  const uploaded = await page.request.post("/v1/kb/documents", {
    headers,
    multipart: { scope: "customer_kb", file },
  });
  expect(uploaded.status()).toBe(202);
  const { job_id } = await uploaded.json();
  const job = await page.request.get(`/v1/kb/jobs/${job_id}?wait=30`, { headers });
  expect((await job.json()).status).toBe("completed");
}

async function ask(page: Page, secret: string): Promise<void> {
  const answered = await page.request.post("/v1/chat/completions", {
    headers: { authorization: `Bearer ${secret}` },
    data: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What are the signs of a stroke?" }],
      citations: { enabled: true },
    },
  });
  expect((await answered.json()).choices[0].message.content).toContain("[1]");
}

async function addFunds(page: Page): Promise<void> {
  await page.goto("/billing");
  await untilInteractive(page);
  await page.getByRole("button", { name: "Add funds" }).click();
  await page.getByLabel("Amount (USD)").fill("20");
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await expect(page).toHaveURL(/\/checkout\/simulated\//);
  await untilInteractive(page);
  await page.getByRole("button", { name: "Pay $20.00" }).click();
  await expect(page.getByText("$20.00 added")).toBeVisible();
}

test("goes from sign-up to a first API answer with the key and code that wait", {
  tag: "@main",
}, async ({ page, request }) => {
  await page.goto("/sign-up");
  await untilInteractive(page);
  await fillIn(page, `start-${Date.now()}@example.org`, PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/start$/);
  const secret = (await page.getByText(/^footnote_test_\w{49}$/).textContent()) ?? "";
  const first = page.getByRole("region", { name: "Your first request" });
  await expect(first).toContainText("Waiting for your first request");
  for (const language of ["Python", "TypeScript", "curl"]) {
    await page.getByRole("tab", { name: language }).click();
    await expect(page.getByRole("tabpanel")).toContainText(secret);
  }
  await expectNoFindings(page, "the first request");

  // What the page shows is what is run: method, address, headers and body come from its curl command.
  const command = (await page.getByRole("tabpanel").locator("pre").textContent()) ?? "";
  const [, url = ""] = /^curl (\S+)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const [, body = ""] = /-d '([\s\S]*)'$/.exec(command) ?? [];
  const wrong = await request.post(url, {
    headers: { ...Object.fromEntries(headers) },
    data: { messages: [] },
  });
  expect(wrong.status()).toBe(400);
  await expect(first).toContainText("A request arrived, but failed: 400");
  const answered = await request.post(url, { headers: Object.fromEntries(headers), data: body });
  expect(answered.status()).toBe(200);
  expect((await answered.json()).citations.length).toBeGreaterThan(0);
  await expect(first).toContainText("Your first request arrived");
  await first.getByRole("link", { name: "See its sources and cost" }).click();
  await expect(page).toHaveURL(/\/usage\/req_/);

  await page.goto("/start");
  await untilInteractive(page);
  expect(await page.content()).not.toContain(secret);
  await expect(first).toContainText("Your first request arrived");
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(page.getByText(/^footnote_test_\w{49}$/)).toBeVisible();
  const refused = await request.post(url, { headers: Object.fromEntries(headers), data: body });
  expect(refused.status()).toBe(403);
});

test("guides a new member from their first key to a document, an answer and funds", {
  tag: "@main",
}, async ({ page }) => {
  test.slow();
  await newMember(page, "/overview");
  await expect(firstSteps(page)).toContainText("0 of 4 done");
  await expect(page.getByRole("heading", { name: "No requests yet" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Error rate" })).toContainText(
    "–No requests in the last 30 days",
  );
  await expect(page.getByRole("link", { name: "Footnote", exact: true })).toHaveAttribute(
    "href",
    "/overview",
  );

  await expect(firstSteps(page).locator("[aria-current=step]")).toContainText("Create a key");
  await firstSteps(page).getByRole("link", { name: "Go to API keys" }).click();
  await expect(page).toHaveURL(/\/keys$/);
  await untilInteractive(page);
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("radio", { name: "Everything" }).check();
  await page.getByLabel("Name").fill("First");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const secret =
    (await page.getByRole("region", { name: "Secret" }).getByRole("code").textContent()) ?? "";
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await openOverview(page);
  await expect.poll(() => doneSteps(page)).toEqual(["Create a key"]);

  await upload(page, secret);
  await reload(page);
  await expect.poll(() => doneSteps(page)).toEqual(["Create a key", "Add a document"]);
  await expect(firstSteps(page).locator("[aria-current=step]")).toContainText("cited answer");

  await ask(page, secret);
  await reload(page);
  await expect(firstSteps(page)).toContainText("3 of 4 done");
  await addFunds(page);
  await openOverview(page);
  await expect(firstSteps(page)).toBeHidden();
  await expect(page.getByRole("region", { name: "Available balance" })).toContainText("$24.99");
  await expect(page.getByRole("row", { name: /Cited chat.*footnote-extract-1/ })).toBeVisible();
});

test("dismisses the first steps without losing focus", async ({ page }) => {
  await newMember(page);
  await openOverview(page);
  const saved = page.waitForResponse(/\/api\/overview\/steps/);
  await firstSteps(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(firstSteps(page)).toBeHidden();
  await saved;
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await reload(page);
  await expect(page.getByRole("region", { name: "Available balance" })).toBeVisible();
  await expect(firstSteps(page)).toBeHidden();
});

test("updates the figures with usage and links to the log", async ({ page }) => {
  await newMember(page);
  const secret = await addKey(page, "Figures");
  await openOverview(page);
  await expect(page.getByText("No spend in the last 7 days")).toBeVisible();
  await ask(page, secret);
  await reload(page);
  const balance = page.getByRole("region", { name: "Available balance" });
  await expect(balance).toContainText("more than 2 years at under $0.01 a week");
  const latency = page.getByRole("region", { name: "Median latency" });
  await expect(latency).toContainText(/\d+(\.\d+)? m?s/);
  const errors = page.getByRole("region", { name: "Error rate" });
  await expect(errors).toContainText("0 of 1 requests");
  const refused = await page.request.post("/v1/kb/search", {
    headers: { authorization: `Bearer ${secret}` },
    data: { query: "" },
  });
  expect(refused.status()).toBe(400);
  await expect(async () => {
    await reload(page);
    await expect(errors).toContainText("1 of 2 requests, 1 refused", { timeout: 1000 });
  }).toPass();
  const chart = page.getByRole("figure", { name: /^Requests by kind, last \d+ days$/ });
  await expect(chart.locator("svg")).toBeVisible();
  await chart.getByText("Show as table").click();
  await expect(chart.getByRole("row").last()).toContainText(/\d+ \w+.*1/);
  await page.getByRole("link", { name: "All requests" }).click();
  await expect(page).toHaveURL(/\/usage$/);
  await expect(page.getByText("2 requests", { exact: true })).toBeVisible();
});

test.describe("@phone", () => {
  test("axe reports no violations on the overview: new, in use, failing", async ({ page }) => {
    test.slow();
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await page.clock.install();
    await newMember(page);
    const secret = await addKey(page, "Overview");
    await openOverview(page);
    await expectNoFindings(page, "new");
    expect(await fits(), "new").toBe(true);
    await ask(page, secret);
    await reload(page);
    await page.getByRole("figure").first().scrollIntoViewIfNeeded();
    await expect(page.locator("figure svg").first()).toBeVisible();
    await expectNoFindings(page, "in use");
    expect(await fits(), "in use").toBe(true);
    await breakReads(page, /\/api\/overview/);
    await comeBackLater(page);
    await untilShown(page, page.getByText("These numbers may be out of date."));
    await expectNoFindings(page, "failing");
  });
});
