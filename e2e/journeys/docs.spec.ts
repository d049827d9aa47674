import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { MARKDOWN_PAGES } from "@/components/docs/pages";
import { ERROR_KINDS } from "@/lib/errors";
import { expectNoFindings, expectNoFindingsExceptContrast } from "./axe";
import { createKey, signUp, untilInteractive } from "./member";

/** Every public page, those of the API's resources among them. */
async function readPages(request: APIRequestContext): Promise<string[]> {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address]) => new URL(address ?? "").pathname,
  );
  expect(listed).toEqual(expect.arrayContaining(["/docs/quickstart", "/docs/api/chat"]));
  return [...listed, "/terms", "/privacy"];
}

/** Widths in CSS pixels: of a phone, and of a 1280 px window at 200% zoom. */
const [PHONE, ZOOMED] = [375, 640];

async function expectNoOverflow(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, where).toBe(0);
}

test.describe("from the home page to the docs", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("lets a visitor copy the quickstart and run it with their own key", {
    tag: "@main",
  }, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await expect(page).toHaveURL(/\/docs$/);
    await page
      .getByRole("navigation", { name: "Documentation" })
      .first()
      .getByRole("link", { name: "Quickstart" })
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Quickstart" })).toBeVisible();
    await untilInteractive(page);
    const origin = new URL(page.url()).origin;
    await page.getByRole("button", { name: "Copy curl" }).first().click();
    await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl ${origin}/v1/chat/completions`);
    await page.getByRole("tab", { name: "Python" }).first().click();
    await page.getByRole("button", { name: "Copy Python" }).first().click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`base_url="${origin}/v1"`);

    await signUp(page);
    const secret = await createKey(page, "Quickstart");
    const body: unknown = JSON.parse(/-d '([^']+)'/.exec(copied)?.[1] ?? "");
    const answer = await page.request.post("/v1/chat/completions", {
      headers: { authorization: `Bearer ${secret}` },
      data: body,
    });
    expect(answer.status()).toBe(200);
    expect((await answer.json()).choices[0].message.annotations.length).toBeGreaterThan(0);
  });

  test("links each page to the next, the previous and its sections", async ({ page }) => {
    await page.goto("/docs/quickstart");
    const pager = page.getByRole("navigation", { name: "Previous and next page" });
    await pager.getByRole("link", { name: /^Next/ }).click();
    await expect(
      page.getByRole("heading", { level: 1, name: "Quickstart with curl" }),
    ).toBeVisible();
    await pager.getByRole("link", { name: /^Previous/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Quickstart" })).toBeVisible();
    const section = page.getByRole("heading", { name: "Read the answer" });
    await page
      .getByRole("navigation", { name: "On this page" })
      .last()
      .getByRole("link", { name: "Read the answer" })
      .press("Enter");
    await expect(page).toHaveURL(/#read-the-answer$/);
    await expect(section).toBeInViewport();
    const anchor = section.getByRole("link");
    await anchor.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(anchor).toBeFocused();
    expect(await anchor.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe("solid");
  });
});

test("has no broken internal links or anchors", async ({ request, baseURL }) => {
  test.slow();
  const pages = await readPages(request);
  const origin = new URL(baseURL ?? "").origin;
  const ids = new Map<string, Set<string>>();
  const links: { from: string; to: URL }[] = [];
  const read = async (path: string) => {
    const response = await request.get(path);
    expect(response.status(), path).toBeLessThan(400);
    const isPage = response.headers()["content-type"]?.includes("html") ?? false;
    const html = isPage ? await response.text() : "";
    ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? "")));
    return html;
  };
  for (const path of pages) {
    const html = await read(path);
    const found = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(
      ([, href]) => new URL((href ?? "").replaceAll("&amp;", "&"), origin + path),
    );
    links.push(...found.filter((to) => to.origin === origin).map((to) => ({ from: path, to })));
  }
  expect(links.length).toBeGreaterThan(300);
  for (const path of new Set(links.map(({ to }) => to.pathname))) {
    if (!ids.has(path)) {
      await read(path);
    }
  }
  const broken = links.filter(
    ({ to }) => to.hash && !ids.get(to.pathname)?.has(decodeURIComponent(to.hash.slice(1))),
  );
  expect(broken.map(({ from, to }) => `${from} → ${to.href}`)).toEqual([]);
});

test("lists every error code with its status", async ({ page }) => {
  await page.goto("/docs/errors");
  for (const [code, { status }] of Object.entries(ERROR_KINDS)) {
    await expect(page.getByRole("heading", { level: 2, name: code, exact: true })).toBeAttached();
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: code, exact: true }) });
    await expect(row).toContainText(String(status));
  }
});

test("lists every OpenAPI operation in the API reference and links directly to it", async ({
  page,
  request,
}) => {
  const { paths } = await (await request.get("/openapi.json")).json();
  await page.goto("/docs/api#get-v1-kb-jobs-job_id");
  await expect(page.getByRole("heading", { name: "GET /v1/kb/jobs/{job_id}" })).toBeInViewport();
  for (const [path, methods] of Object.entries<object>(paths)) {
    for (const method of Object.keys(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      await expect(page.getByRole("heading", { name, exact: true })).toBeAttached();
    }
  }
  await page.getByRole("link", { name: "POST /v1/chat/completions", exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/api\/chat#post-v1-chat-completions$/);
  const operation = page.getByRole("region", { name: "POST /v1/chat/completions", exact: true });
  await expect(operation).toContainText("chat:completions");
  await operation.getByText("Fields of citations").first().click();
  await expect(operation.getByText("1 to 50, default 8")).toBeVisible();
});

test("serves the pages as Markdown, listed in /llms.txt", async ({ request }) => {
  const index = await request.get("/llms.txt");
  expect(index.headers()["content-type"]).toContain("text/plain");
  const text = await index.text();
  const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(
    ([, to]) => new URL(to ?? "").pathname,
  );
  expect(addresses.filter((path) => path.endsWith(".md"))).toHaveLength(MARKDOWN_PAGES.length);
  for (const path of addresses) {
    expect((await request.get(path)).status(), path).toBe(200);
  }
  const page = await (await request.get("/docs/errors.md")).text();
  expect(page).toMatch(/^# Errors/);
  const missing = await request.get("/docs/no-such-page.md");
  expect(missing.status()).toBe(404);
  expect((await missing.json()).error.code).toBe("not_found");
  expect((await request.get("/docs/no-such-page")).status()).toBe(404);
});

test("searches words inside the pages, by keyboard, and opens the section", async ({ page }) => {
  await page.goto("/docs");
  await untilInteractive(page);
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search or jump to" });
  await expect(search.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("keep-alive comment proxies");
  const found = search.getByRole("option", { name: /^Keep-alive and disconnecting/ });
  // The first search makes the index.
  await expect(found).toBeVisible({ timeout: 30_000 });
  await expectNoFindings(page, "search");
  await found.click();
  await expect(page).toHaveURL(/\/docs\/streaming#keep-alive-and-disconnecting$/);
  await page.getByRole("button", { name: /^Search docs/ }).click();
  await search.getByRole("combobox").fill("insufficient_scope");
  await expect(search.getByRole("option", { name: /^insufficient_scope/ }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Search docs/ })).toBeFocused();
});

test("remembers the chosen language on other pages", async ({ page }) => {
  await page.goto("/docs/streaming");
  await untilInteractive(page);
  await page.getByRole("tab", { name: "Python" }).first().click();
  await page.goto("/docs/api/search");
  await expect(page.getByRole("tab", { name: "Python" }).first()).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(page.getByText("requests.post(").first()).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the code in every language", async ({ page }) => {
    await page.goto("/docs/quickstart");
    await expect(page.getByText("from openai import OpenAI").first()).toBeVisible();
    await expect(page.getByText('import OpenAI from "openai"').first()).toBeVisible();
  });
});

test("tries an operation with the reader's own key, and forgets the key", async ({ page }) => {
  await signUp(page);
  const secret = await createKey(page, "Try it");
  await page.goto("/docs/api/search");
  await untilInteractive(page);
  const operation = page.getByRole("region", { name: "POST /v1/kb/search" });
  await operation.getByText("Try it").click();
  await operation.getByLabel("API key").fill(secret);
  await operation.getByRole("button", { name: "Send request" }).click();
  await expect(operation.getByRole("status").last()).toContainText(/200 · .* · req_/);
  await expect(operation.getByRole("status").last()).toContainText('"data"');
  await operation.getByLabel("Body").fill('{"query": 1}');
  await operation.getByRole("button", { name: "Send request" }).click();
  await expect(operation.getByRole("status").last()).toContainText("invalid_request");
  await expectNoFindings(page, "try it");
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain(secret);
  await page.reload();
  await operation.getByText("Try it").click();
  await expect(operation.getByLabel("API key")).toHaveValue("");
});

test.describe("the documentation", () => {
  // In parts that run beside each other, small enough for a slow machine's time limit.
  const parts = 10;
  for (let part = 0; part < parts; part += 1) {
    test(`has no axe violations or horizontal overflow, part ${part + 1} of ${parts}`, async ({
      page,
      request,
    }) => {
      test.slow();
      const pages = await readPages(request);
      const wide = page.viewportSize() ?? { width: 1280, height: 720 };
      for (const path of pages.filter((_, index) => index % parts === part)) {
        await page.goto(path);
        await expectNoOverflow(page, path);
        await expectNoFindings(page, path);
        for (const width of [ZOOMED, PHONE]) {
          await page.setViewportSize({ ...wide, width });
          await expectNoOverflow(page, `${path} at ${width} px`);
        }
        // Narrow pages have the wide ones' text and colors.
        await expectNoFindingsExceptContrast(page, `${path} at ${PHONE} px`);
        await page.setViewportSize(wide);
      }
    });
  }
});

test("names this server in code before any script runs, and prints code to its end", async ({
  page,
}) => {
  for (const path of ["/docs/quickstart", "/docs/api/chat", "/"]) {
    await page.goto(path);
    const code = page.locator("pre").filter({ hasText: "/v1/chat/completions" }).first();
    await expect(code, path).toContainText(`${new URL(page.url()).origin}/v1/chat/completions`);
  }
  await page.goto("/docs/quickstart");
  // About A4 without its margins.
  await page.setViewportSize({ width: 670, height: 1000 });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("All pages")).toBeHidden();
  const widths = await page
    .locator("pre:visible")
    .evaluateAll((blocks) => blocks.map((block) => block.scrollWidth - block.clientWidth));
  expect(widths.filter((width) => width > 0)).toEqual([]);
});

test("@phone-only collapses the page and section lists above the text", async ({ page }) => {
  await page.goto("/docs/citations");
  const pages = page.getByRole("navigation", { name: "Documentation" }).filter({ visible: true });
  await expect(pages).toHaveCount(0);
  await page.getByText("All pages").click();
  await expectNoFindings(page, "list of pages");
  await pages.getByRole("link", { name: "Streaming" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Streaming" })).toBeVisible();
  await expect(pages).toHaveCount(0);
  await page.getByText("On this page").filter({ visible: true }).click();
  const sections = page.getByRole("navigation", { name: "On this page" }).filter({ visible: true });
  await expectNoFindings(page, "list of sections");
  await sections.getByRole("link", { name: "When something fails" }).click();
  await expect(page).toHaveURL(/#when-something-fails$/);
});
