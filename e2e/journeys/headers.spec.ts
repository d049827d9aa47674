import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { createKey, signUp, untilInteractive } from "./member";

const OPEN_PAGES = [
  ...[
    "/",
    "/pricing",
    "/trust",
    "/changelog",
    "/terms",
    "/privacy",
    "/docs",
    "/docs/quickstart",
    "/docs/api",
  ],
  "/sources/doc_zh6up8o9cg13dqqiaaj73vsc9p?quote=824-934-feaa4fe1fc70",
  ...["/sign-in", "/sign-up", "/forgot-password", "/reset-password", "/join", "/confirm-email"],
];
const CONSOLE_PAGES = [
  ...[
    "/overview",
    "/keys",
    "/presets",
    "/documents",
    "/playground",
    "/usage",
    "/billing",
    "/settings",
    "/settings/security",
  ],
  ...["/documents/doc_none", "/usage/req_none"],
];
const NO_PAGES = ["/no-such-page", "/no-such.page", "/docs/no-such-page", "/sources/doc_none"];

/** Collects policy violations and console errors from all pages of a context. */
async function watch(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  await context.exposeFunction("reportViolation", (violation: string) => problems.push(violation));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { effectiveDirective, blockedURI, documentURI } = event;
      const report = (window as unknown as { reportViolation(violation: string): void })
        .reportViolation;
      report(`${documentURI}: ${effectiveDirective} forbids ${blockedURI}`);
    });
  });
  context.on("weberror", (error) => problems.push(String(error.error())));
  context.on("console", (message) => {
    // Not-found pages respond with 404, which the console reports as well.
    if (message.type() === "error" && !/status of 404/.test(message.text())) {
      problems.push(`${message.page()?.url()}: ${message.text()}`);
    }
  });
  return problems;
}

async function visit(page: Page, path: string) {
  const response = await page.goto(path);
  const headers = (await response?.allHeaders()) ?? {};
  expect(headers, path).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
  const policy = headers["content-security-policy"] ?? "";
  for (const rule of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
    expect(policy, path).toContain(rule);
  }
  const scripts = policy.split("; ").find((rule) => rule.startsWith("script-src"));
  expect(scripts, path).toMatch(/^script-src 'self' '(nonce|sha256)-/);
  expect(scripts, path).not.toContain("unsafe");
  // The server runs on plain HTTP; with this header, browsers would insist on HTTPS.
  expect(headers["strict-transport-security"], path).toBeUndefined();
  // The page's own scripts run, at the latest when the reader does something.
  await page.evaluate(() => window.dispatchEvent(new Event("pointermove")));
  await page.waitForFunction(() =>
    [...document.querySelectorAll("button, a")].some((element) =>
      Object.keys(element).some((name) => name.startsWith("__reactProps$")),
    ),
  );
  await page.waitForLoadState("networkidle");
}

test("compresses scripts and styles", async ({ request }) => {
  const page = await (await request.get("/")).text();
  const assets = new Set(page.match(/\/_next\/static\/[\w./~-]+\.(?:js|css)/g));
  expect(assets.size).toBeGreaterThan(5);
  for (const path of assets) {
    const response = await request.get(path, { headers: { "accept-encoding": "br" } });
    const isSmall = (await response.body()).length < 1024;
    expect(response.headers()["content-encoding"], path).toBe(isSmall ? undefined : "br");
  }
});

test("violates no policy on any page", async ({ page, context }) => {
  test.slow();
  const problems = await watch(context);
  for (const path of [...OPEN_PAGES, ...NO_PAGES]) {
    await visit(page, path);
  }
  await signUp(page);
  for (const path of CONSOLE_PAGES) {
    await visit(page, path);
  }
  expect(problems).toEqual([]);
});

test("violates no policy in menus, charts, notifications and client-side navigation", async ({
  page,
  context,
}) => {
  test.slow();
  const problems = await watch(context);
  await signUp(page);
  const secret = await createKey(page, "Policy");
  await page.request.post("/v1/kb/search", {
    headers: { authorization: `Bearer ${secret}` },
    data: { query: "metformin" },
  });
  await page.goto("/usage");
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible();
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.keyboard.press("Escape");
  await page.goto("/settings");
  await untilInteractive(page);
  await page.getByLabel("Your name").fill("Ana");
  await page.getByRole("button", { name: "Save your name" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();
  // Navigate between static and dynamic pages on the client, without loading a document.
  await page.goto("/docs");
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await expect(page).toHaveURL(/\/pricing$/);
  await page.getByRole("link", { name: "Open console" }).first().click();
  await expect(page).toHaveURL(/\/overview/);
  expect(problems).toEqual([]);
});

// The built server's answer: what a bundler takes for unused is missing only there.
test("answers a malformed path of the API in JSON", async ({ request }) => {
  for (const path of ["/v1/%zz", "/v1/models/%E0%A4%A", "/api/keys/%"]) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(400);
    expect((await response.json()).error.code, path).toBe("invalid_request");
    expect(response.headers()["cache-control"], path).toBe("no-store");
  }
});

test("lets shared caches keep a page for a minute, and none of a browser with a session", async ({
  request,
}) => {
  const paths = ["/", "/docs"];
  for (const path of paths) {
    const open = await request.get(path);
    expect(open.headers()["cache-control"], path).toContain("s-maxage=60,");
    expect(open.headers()["set-cookie"], path).toBeUndefined();
  }
  for (const path of paths) {
    const headers = { cookie: "next-auth.session-token=anything" };
    const own = await request.get(path, { headers });
    expect(own.headers()["set-cookie"], path).toContain("footnote-member");
    expect(own.headers()["cache-control"], path).toBe("private, no-cache");
  }
});

test("applies the theme before the first paint on static and dynamic pages", async ({ page }) => {
  for (const path of ["/docs", "/sign-in", "/no-such-page"]) {
    await page.goto(path);
    await page.evaluate(() => localStorage.setItem("theme", "dark"));
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  }
});

for (const path of ["/docs", "/no-such-page", "/sign-in"]) {
  test(`blocks a script injected into ${path}`, async ({ page, context }) => {
    const problems = await watch(context);
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const injected = `<script>window.injected = 1</script><img src="/none.png" onerror="window.injected = 2">`;
      const body = (await response.text()).replace("</body>", `${injected}</body>`);
      await route.fulfill({ response, body });
    });
    await page.goto(path);
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.injected = 3";
      document.body.append(script);
      const elsewhere = document.createElement("script");
      elsewhere.src = "https://evil.example/x.js";
      document.body.append(elsewhere);
    });
    await expect
      .poll(() => problems.filter((problem) => problem.includes("script-src")).length)
      .toBeGreaterThanOrEqual(4);
    expect(await page.evaluate(() => "injected" in window)).toBe(false);
  });
}

test("prevents other sites from framing a page", async ({ page, baseURL }) => {
  await page.route("https://other.example/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe title="framed" src="${baseURL}/sign-in"></iframe>`,
    }),
  );
  await page.goto("https://other.example/");
  await expect(page.frameLocator("iframe").getByRole("button", { name: "Sign in" })).toHaveCount(0);
});

test("serves data and files with nosniff and a sandboxed policy", async ({ page }) => {
  const paths = ["/api/health", "/api/settings", "/v1/models", "/v1/none", "/docs/errors.md"];
  for (const path of [...paths, "/llms.txt"]) {
    const headers = (await page.request.get(path)).headers();
    expect(headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
  }
});
