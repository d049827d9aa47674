import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import { signUp, untilInteractive } from "./member";

/** From the public sample, whose ids follow from its content. */
const SOURCE = "doc_zh6up8o9cg13dqqiaaj73vsc9p?quote=824-934-feaa4fe1fc70";
const QUOTE = "The maximum total dose of acetaminophen for healthy adults is 4,000 mg in 24 hours";

let visitors = 0;

/** Journeys share an address, so each one asks as a network of its own. */
async function asVisitor(page: Page): Promise<void> {
  visitors += 1;
  const { workerIndex, project } = test.info();
  const phone = project.name === "phone" ? 1 : 0;
  const address = `198.18.${workerIndex * 2 + phone}.${visitors}`;
  await page.route("**/api/demo", (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-forwarded-for": address } }),
  );
}

test.describe("@phone a visitor without an account", () => {
  test("sees a claim caught and opens the words that contradict it", { tag: "@main" }, async ({
    page,
  }) => {
    await asVisitor(page);
    await page.goto("/");
    await untilInteractive(page);
    const demo = page.getByRole("region", { name: "Ask it something" });
    await demo.getByRole("button", { name: /wrong on purpose/ }).click();
    const answer = demo.getByRole("article");
    await expect(answer).toContainText("Wrong on purpose.");
    await expect(answer).toContainText("6,000 mg");
    await expect(answer.getByText("Possibly contradicted")).toBeVisible();
    await expectNoFindings(page, "with a flagged answer");
    await answer
      .getByRole("link", { name: /Safe limits/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/sources\/doc_\w+\?quote=/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Acetaminophen (paracetamol)");
    await expect(page.locator("mark")).toContainText(QUOTE);
    await expect(page.locator("mark")).toBeInViewport();
  });

  test("sees the wrong number next to its source's, one click away", async ({ page }) => {
    await page.goto("/");
    const numbers = page.locator("dl").filter({ hasText: "Its source", visible: true });
    await expect(numbers).toContainText("The answer says6,000 mg");
    await expect(numbers).toContainText("4,000 mg");
    await numbers.getByRole("link", { name: "Its source" }).click();
    await expect(page).toHaveURL(/\/sources\/doc_\w+\?quote=/);
    await expect(page.locator("mark")).toContainText(QUOTE);
  });

  test("opens a permalink of the public knowledge base without signing in", async ({ page }) => {
    await page.goto(`/documents/${SOURCE}`);
    await expect(page).toHaveURL(new RegExp(`/sources/${SOURCE.replace("?", "\\?")}$`));
    await expect(page.locator("mark")).toContainText(QUOTE);
    await expect(page.locator("mark")).toBeInViewport();
    await expectNoFindings(page, "a public source");
    const head = page.locator("head");
    await expect(head.locator("link[rel=canonical]")).toHaveAttribute(
      "href",
      /\/sources\/doc_zh6up8o9cg13dqqiaaj73vsc9p$/,
    );
    await expect(head.locator("meta[property='og:description']")).toHaveAttribute(
      "content",
      /4,000 mg in 24 hours/,
    );
    const card = await head.locator("meta[property='og:image']").getAttribute("content");
    expect(card).toContain("/card.png?quote=");
    const { pathname, search } = new URL(card ?? "");
    const image = await page.request.get(pathname + search);
    expect([image.status(), image.headers()["content-type"]]).toEqual([200, "image/png"]);
  });

  test("is asked to sign in for any other document", async ({ page }) => {
    await page.goto("/documents/doc_none?quote=1-2-0123456789ab");
    await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
    expect((await page.goto("/sources/doc_none"))?.status()).toBe(404);
  });
});

test("a visitor asks a question of their own until the day's questions are used up", async ({
  page,
}) => {
  await asVisitor(page);
  await page.goto("/");
  await untilInteractive(page);
  const demo = page.getByRole("region", { name: "Ask it something" });
  const question = demo.getByLabel("Question", { exact: true });
  for (let left = 4; left >= 0; left -= 1) {
    await question.fill("how is warfarin monitored?");
    await question.press("Enter");
    await expect(demo.getByRole("article")).toContainText(
      left === 0 ? "No free questions left today" : `${left} left today`,
    );
  }
  await expect(demo.getByRole("article")).toContainText("2.0 to 3.0");
  await question.press("Enter");
  await expect(demo.getByText(/free questions. Create an account/)).toBeVisible();
  await expect(demo.getByRole("link", { name: "Get an API key" })).toBeVisible();
});

test("a question that is asked while another is being answered replaces it", async ({ page }) => {
  await asVisitor(page);
  const first = Promise.withResolvers<void>();
  await page.route("**/api/demo", async (route) => {
    if (route.request().postDataJSON().question.includes("anaphylaxis")) {
      await first.promise;
    }
    await route.fallback();
  });
  await page.goto("/");
  await untilInteractive(page);
  const demo = page.getByRole("region", { name: "Ask it something" });
  await demo.getByRole("button", { name: /anaphylaxis/ }).click();
  await demo.getByLabel("Question", { exact: true }).fill("how is warfarin monitored?");
  await demo.getByLabel("Question", { exact: true }).press("Enter");
  await expect(demo.getByRole("heading", { name: "how is warfarin monitored?" })).toBeVisible();
  const slow = page.waitForResponse("**/api/demo");
  first.resolve();
  await slow;
  await expect(demo.getByRole("article")).toContainText("2.0 to 3.0");
});

test("an off-topic question gets a reply that says what the demo covers", async ({ page }) => {
  await asVisitor(page);
  await page.goto("/");
  await untilInteractive(page);
  const demo = page.getByRole("region", { name: "Ask it something" });
  await demo.getByLabel("Question", { exact: true }).fill("Who won the world cup?");
  await page.keyboard.press("Enter");
  await expect(demo.getByRole("article")).toContainText("This demo covers 48 articles");
  await expect(demo.getByRole("list", { name: "Sources" })).toHaveCount(0);
  await expectNoFindings(page, "with a question it can't answer");
});

test("a visitor types numbers into the calculator, however odd", async ({ page }) => {
  await page.goto("/pricing");
  await untilInteractive(page);
  const answers = page.getByRole("textbox", { name: "Answers per month, as a number" });
  await answers.fill("2,000,000");
  await answers.blur();
  await expect(answers).toHaveValue("2,000,000");
  await expect(page.getByText("$352.00")).toBeVisible();
  await answers.fill("-3 or so");
  await answers.blur();
  await expect(answers).toHaveValue("0");
  await expect(page.getByText("$0.00", { exact: true })).toHaveCount(2);
});

test("a passage that is closest to a question, but no answer, isn't called supported", async ({
  page,
}) => {
  await page.route("**/api/demo", async (route) => {
    const headers = { ...route.request().headers(), "x-forwarded-for": "198.18.200.1" };
    const response = await route.fetch({ headers });
    const answer = await response.json();
    const verification = { ...answer.verification, answered: "no" };
    await route.fulfill({ response, json: { ...answer, verification } });
  });
  await page.goto("/");
  const demo = page.getByRole("region", { name: "Ask it something" });
  await demo.getByRole("button", { name: /warfarin/ }).click();
  const answer = demo.getByRole("article");
  await expect(answer).toContainText("No cited sentence answers the question.");
  await expect(answer.getByRole("list", { name: "Sources" })).toContainText("Closest passage");
  await expect(answer.getByText("Supported")).toHaveCount(0);
});

test.describe("@phone the scripts of a public page", () => {
  test("load when a visitor does something, who then needs no second click", async ({ page }) => {
    await asVisitor(page);
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") {
        scripts.push(request.url());
      }
    });
    for (const path of ["/docs/citations", "/no-such-page", "/"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(scripts, path).toEqual([]);
    }
    const demo = page.getByRole("region", { name: "Ask it something" });
    await demo.getByRole("button", { name: /wrong on purpose/ }).click();
    await expect(demo.getByRole("article")).toContainText("6,000 mg");
    expect(scripts.length).toBeGreaterThan(0);
  });

  test("repeat a question that was sent before them", async ({ page }) => {
    await asVisitor(page);
    await page.goto("/");
    const demo = page.getByRole("region", { name: "Ask it something" });
    await demo.getByLabel("Question", { exact: true }).fill("How is warfarin monitored?");
    await page.keyboard.press("Enter");
    await expect(demo.getByRole("article")).toContainText("2.0 to 3.0");
  });

  test("open the search whose shortcut was pressed before them", async ({ page }) => {
    await page.goto("/docs");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog", { name: "Search or jump to" })).toBeVisible();
  });
});

test("pages have images and a canonical address at the server's own, the not-found page images", async ({
  request,
  baseURL,
}) => {
  for (const path of ["/", "/no-such-page", "/docs/no-such-page"]) {
    const html = await (await request.get(path)).text();
    expect(html, path).toContain(`property="og:image" content="${baseURL}/`);
    expect(html, path).not.toContain("address.invalid/");
  }
  for (const path of ["/pricing", "/changelog", "/docs", "/docs/citations", "/docs/api/chat"]) {
    const html = await (await request.get(`${path}?utm_source=mail`)).text();
    expect(html, path).toContain(`rel="canonical" href="${baseURL}${path}"`);
  }
});

test("shows the note of a claim on hover and on keyboard focus", async ({ page }) => {
  await page.setViewportSize({ width: 600, height: 900 });
  await page.goto("/");
  await untilInteractive(page);
  const example = page.getByRole("figure").filter({ hasText: "claims checked" });
  await expect(example.getByText("Possibly contradicted", { exact: true })).toBeVisible();
  const marker = example.getByRole("button", {
    name: "[2], Acetaminophen (paracetamol), Supported",
  });
  await marker.hover();
  await expect(
    example.getByText("Liver damage is the main harm", { exact: false }).last(),
  ).toBeVisible();
  await expect(marker).toHaveAttribute("aria-pressed", "true");
  await example.getByRole("button", { name: /Possibly contradicted/ }).focus();
  await expect(marker).toHaveAttribute("aria-pressed", "false");
});

test("links members to the console, also from prerendered pages", async ({ page }) => {
  for (const path of ["/", "/docs", "/pricing"]) {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Open console" })).toHaveCount(0);
  }
  await signUp(page);
  for (const path of ["/", "/docs", "/pricing"]) {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Open console" }).first()).toBeVisible();
    await expect(page.getByRole("link", { name: "Sign in" })).toBeHidden();
    await expect(page.getByRole("link", { name: "Get an API key" })).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Open console" }).first().click();
  await page.getByRole("navigation", { name: "Help" }).getByRole("link", { name: "Docs" }).click();
  await expect(page).toHaveURL(/\/docs$/);
});

test("tabs show the focus ring to the keyboard and not to the mouse", async ({ page }) => {
  await page.goto("/");
  await untilInteractive(page);
  const tab = page.getByRole("tab", { name: "Python" });
  const outline = () => tab.evaluate((element) => getComputedStyle(element).outlineStyle);
  await tab.click();
  await expect(tab).toBeFocused();
  expect(await outline()).toBe("none");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(tab).toBeFocused();
  expect(await outline()).toBe("solid");
});
