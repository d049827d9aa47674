import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import {
  chooseOption,
  fillIn,
  newMember,
  PASSWORD,
  reload,
  untilInteractive,
  visit,
} from "./member";

const QUESTION = "What are the signs of a stroke?";
const CHAT_ROUTE = "**/api/playground/chat";

/** Creates an account and opens its empty playground. */
async function open(page: Page): Promise<string> {
  return newMember(page, "/playground");
}

function message(page: Page): Locator {
  return page.getByLabel("Message", { exact: true });
}

async function ask(page: Page, question = QUESTION): Promise<void> {
  await message(page).fill(question);
  await message(page).press("Enter");
}

/** The latest answer, once it is complete. */
async function answered(page: Page): Promise<Locator> {
  const turn = page.getByRole("article").last();
  await expect(turn.getByRole("button", { name: "Code and JSON" })).toBeVisible();
  // The Markdown renderer loads now and renders the markers again.
  await page.waitForLoadState("networkidle");
  return turn;
}

function markers(page: Page): Locator {
  return page.getByRole("button", { name: /^\[\d+\], / });
}

/** Fails requests with an error from the server. */
async function failWith(page: Page, status: number, error: object): Promise<void> {
  await page.route(CHAT_ROUTE, (route) =>
    route.fulfill({ status, headers: { "x-request-id": "req_test" }, json: { error } }),
  );
}

/** Throttles the network, as on a poor connection. Returns a function that stops it. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const emulate = (throughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: throughput,
      uploadThroughput: -1,
    });
  await emulate(bytesPerSecond);
  return () => emulate(-1);
}

/** Stalls the next answers after their first marker, so that they remain in progress. */
async function holdAnswers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const MARKED = /"delta":\{[^}]*"content":"(?:[^"\\]|\\.)*\[\d+\][^\n]*\n\n/;
    const originalFetch = window.fetch;
    window.fetch = async (input, init) => {
      const response = await originalFetch(input, init);
      if (!String(input).includes("/api/playground/chat") || !response.body) {
        return response;
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      const begin = (controller: ReadableStreamDefaultController<string>) =>
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      const pull = async (controller: ReadableStreamDefaultController<string>) => {
        const { value = "", done } = await reader.read();
        const marked = MARKED.exec(text + value);
        const end = marked ? marked.index + marked[0].length - text.length : value.length;
        text += value;
        controller.enqueue(value.slice(0, end));
        if (marked) {
          await new Promise(() => {});
        }
        if (done) {
          controller.close();
        }
      };
      const body = new ReadableStream<string>({ start: begin, pull });
      return new Response(body.pipeThrough(new TextEncoderStream()), response);
    };
  });
}

test("answers a new account's first question with citations it can check", {
  tag: "@main",
}, async ({ page }) => {
  await open(page);
  await expect(page.getByText("Ask a question")).toBeVisible();
  await page.getByRole("button", { name: QUESTION }).click();
  const turn = await answered(page);
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();

  const marker = markers(page).first();
  await expect(marker).toHaveAccessibleName(/^\[1\], Stroke, Supported$/);
  const card = page.getByRole("dialog", { name: "Source 1: Stroke" });
  // The answer may render again under the pointer, so move the pointer until the card shows.
  await expect(async () => {
    await page.mouse.move(5, 5);
    await marker.hover();
    await expect(card).toContainText("Supported", { timeout: 1500 });
  }).toPass();
  await expect(card).toContainText("Checked by rules");
  await expect(card).toContainText(/Public · .*Similarity 0\.\d\d/);
  const quoted = (await card.locator("mark").textContent()) ?? "";
  expect(quoted.length).toBeGreaterThan(10);
  await expect(card.getByRole("link", { name: /^Open the quote/ })).toHaveAttribute(
    "href",
    /^\/documents\/doc_\w+\?quote=\d+-\d+-[0-9a-f]{12}$/,
  );
  await page.mouse.move(5, 5);
  await expect(card).toBeHidden();

  await expect(turn.getByRole("region", { name: "Verification" })).toContainText(
    /^All \d cited sentences are supported by their sources. The question is answered./,
  );
  const sources = turn.getByRole("region", { name: "Sources" });
  await expect(sources).toContainText(/\d sources, \d cited/);
  await expect(sources.getByRole("listitem").first()).toContainText("Open the quote");
  await expect(sources.locator("blockquote").filter({ visible: true })).toHaveCount(1);
  await sources.getByText(/\d more passages were searched/).click();
  await expect(sources.getByRole("listitem").filter({ visible: true })).not.toHaveCount(1);
  await expect(turn).toContainText(/Cost\$0\.00\d+/);
  await expect(turn).toContainText(/First token\d/);
  await expect(turn).toContainText(/Requestreq_\w{26}/);
});

test("shows a chosen marker's source in the side panel", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page);
  await ask(page);
  const turn = await answered(page);
  const last = markers(page).last();
  const id = /^\[(\d+)\]/.exec((await last.getAttribute("aria-label")) ?? "")?.[1];
  const show = page.getByRole("button", { name: "Show in sources" });
  await expect(async () => {
    await last.click();
    await expect(show).toBeVisible({ timeout: 1500 });
  }).toPass();
  const source = turn.locator(`[data-source="${id}"]`);
  await expect(source).toHaveAttribute("aria-current", "true");
  await expect(source).toBeInViewport();
  await show.click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(source).toBeFocused();
});

test("works with the keyboard alone", async ({ page }) => {
  await open(page);
  await message(page).focus();
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Enter");
  await answered(page);
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveValue("");

  const focused = () => page.evaluate(() => document.activeElement?.hasAttribute("data-marker"));
  for (let press = 0; press < 60 && !(await focused()); press += 1) {
    await page.keyboard.press("Shift+Tab");
  }
  const card = page.getByRole("dialog");
  const marker = page.locator("[data-marker]:focus");
  await expect(marker).toHaveAttribute("aria-expanded", "true");
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await expect(marker).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(card).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(card.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await expect(marker).toBeFocused();
  await expect(marker).toHaveAttribute("aria-expanded", "false");
});

test("stops an answer mid-stream and preserves what was generated", { tag: "@main" }, async ({
  page,
}) => {
  await open(page);
  // Load everything the answer needs before throttling the network.
  await ask(page, "How is warfarin monitored?");
  await answered(page);
  const speedUp = await slowDown(page, 6000);
  await ask(page);
  const turn = page.getByRole("article").last();
  await expect(turn.getByRole("heading", { name: QUESTION })).toBeVisible();
  await expect(turn.locator("[data-marker]").first()).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press("Escape");
  await expect(turn).toContainText("Stopped. You pay only for what was generated.");
  await speedUp();
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
  await expect(turn.getByRole("region", { name: "Verification" })).toHaveCount(0);
  const markerCount = await turn.locator("[data-marker]").count();
  expect(markerCount).toBeGreaterThan(0);

  await reload(page);
  await expect(page.getByRole("article").last().locator("[data-marker]")).toHaveCount(markerCount);
});

test("sends the chosen settings and shows the same request as code", async ({ page }) => {
  await open(page);
  await page.getByLabel("Max sources").fill("3");
  await page.getByLabel("Min similarity").fill("0.2");
  await page.getByRole("checkbox", { name: "Account", exact: true }).uncheck();
  await page.getByText("Filters", { exact: true }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Attribute").fill("title");
  await chooseOption(page, "Comparison is", "isn’t");
  await page.getByLabel("Value").fill("None");
  await page.getByText("Checks", { exact: true }).click();
  await chooseOption(page, "Verification verify", "Off");
  await page.getByText("Answer", { exact: true }).click();
  await page.getByLabel("System message").fill("Don't guess.");
  await page.getByLabel("temperature").fill("0");
  const sent = page.waitForRequest(CHAT_ROUTE);
  await ask(page);
  const { preset, ...body } = (await sent).postDataJSON();
  expect(preset).toBe("company");
  expect(body).toEqual({
    model: "footnote-extract-1",
    messages: [
      { role: "system", content: "Don't guess." },
      { role: "user", content: QUESTION },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    citations: {
      enabled: true,
      required: true,
      query: "conversation",
      sources: ["public_kb"],
      filters: { type: "ne", key: "title", value: "None" },
      top_k: 3,
      min_score: 0.2,
      verify: "off",
      on_empty: "say_so",
    },
  });
  const turn = await answered(page);
  await expect(turn.getByRole("region", { name: "Sources" })).toContainText("3 sources");
  await expect(turn.getByRole("region", { name: "Verification" })).toContainText(
    "Claims weren’t checked",
  );

  await turn.getByRole("button", { name: "Code and JSON" }).click();
  const dialog = page.getByRole("dialog", { name: "Code for this request" });
  await expect(dialog).toContainText(`curl ${new URL(page.url()).origin}/v1/chat/completions`);
  await expect(dialog).toContainText("$FOOTNOTE_API_KEY");
  await expect(dialog).toContainText('"min_score": 0.2');
  for (const language of ["Python", "TypeScript"]) {
    await dialog.getByRole("tab", { name: language }).click();
    await expect(dialog.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
    await expect(dialog).toContainText("FOOTNOTE_API_KEY");
  }
  await page.keyboard.press("Escape");
  await expect(turn.getByRole("button", { name: "Code and JSON" })).toBeFocused();
});

test("regenerates, edits and deletes a turn", async ({ page }) => {
  await open(page);
  await ask(page);
  await answered(page);
  await ask(page, "And its treatment?");
  await answered(page);
  const turns = page.getByRole("article");
  await expect(turns).toHaveCount(2);

  await turns.last().getByRole("button", { name: "Delete" }).click();
  await expect(turns).toHaveCount(1);
  await expect(message(page)).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(turns).toHaveCount(2);

  await turns.first().getByRole("button", { name: "Regenerate" }).click();
  await expect(turns).toHaveCount(1);
  const turn = await answered(page);
  await expect(turn.getByRole("heading", { level: 2 })).toHaveText(QUESTION);

  await turn.getByRole("button", { name: "Edit question" }).click();
  await expect(turns).toHaveCount(0);
  await expect(message(page)).toHaveValue(QUESTION);
  await expect(message(page)).toBeFocused();
  await page.keyboard.press("Shift+Enter");
  await expect(message(page)).toHaveValue(`${QUESTION}\n`);
});

test("shows the warnings of an answer that isn't streamed", async ({ page }) => {
  await open(page);
  await page.getByText("Answer", { exact: true }).click();
  await page.getByRole("checkbox", { name: "stream" }).uncheck();
  await page.route(CHAT_ROUTE, async (route) => {
    expect(route.request().postDataJSON()).not.toHaveProperty("stream");
    const answer = await (await route.fetch()).json();
    const warnings = [{ code: "retrieval_unavailable", message: "Made without citations." }];
    await route.fulfill({ json: { ...answer, warnings } });
  });
  await ask(page);
  const turn = await answered(page);
  await expect(markers(page).first()).toBeVisible();
  await expect(turn.getByText("Made without citations.")).toBeVisible();
  await expect(turn.getByText("retrieval_unavailable")).toBeVisible();
});

test("marks an invalid setting beside its field and sends nothing", async ({ page }) => {
  await open(page);
  let sent = 0;
  await page.route(CHAT_ROUTE, (route) => {
    sent += 1;
    return route.continue();
  });
  const field = page.getByLabel("Max sources");
  await field.fill("51");
  await expect(page.getByText("Use a whole number from 1 to 50.")).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await ask(page);
  await expect(page.getByRole("alert").filter({ hasText: "nothing was sent" })).toBeVisible();
  expect(sent).toBe(0);
  await page.getByRole("button", { name: "Show setting" }).click();
  await expect(field).toBeFocused();
  await field.fill("5");
  await message(page).press("Enter");
  await answered(page);
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("shows the API's error and succeeds on retry", async ({ page }) => {
  await open(page);
  await failWith(page, 400, {
    message: "'citations.top_k' expected a whole number from 1 to 50",
    type: "invalid_request_error",
    param: "citations.top_k",
    code: "invalid_request",
  });
  await ask(page);
  const failure = page.getByRole("alert").filter({ hasText: "citations.top_k" });
  await expect(failure).toContainText("400 invalid_request");
  await expect(failure).toContainText("req_test");
  await page.unroute(CHAT_ROUTE);
  await failure.getByRole("button", { name: "Try again" }).click();
  await answered(page);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(failure).toBeHidden();
});

test("offers questions about the newest documents that they answer", async ({ page }) => {
  await newMember(page);
  const text = "# Ward handbook\n\n## Visiting hours\n\nThe ward opens to guests at 14:00.\n";
  const file = { name: "handbook.md", mimeType: "text/markdown", buffer: Buffer.from(text) };
  await page.request.post("/api/documents", { multipart: { scope: "customer_kb", file } });
  const isReady = async () =>
    (await (await page.request.get("/api/documents")).json()).data[0].status === "completed";
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
  await visit(page, "/playground");
  const example = "What does “Ward handbook” say about visiting hours?";
  await page.getByRole("button", { name: example }).click();
  const turn = await answered(page);
  await expect(turn).toContainText("The ward opens to guests at 14:00");
  await expect(turn.getByRole("region", { name: "Verification" })).toContainText(
    "The question is answered.",
  );
});

test("begins in the question's field, and copies an answer with its references", async ({
  page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await expect(message(page)).toBeFocused();
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Enter");
  const turn = await answered(page);
  await turn.getByRole("button", { name: "Copy answer" }).click();
  await expect(turn.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/\n\n\[1\] Stroke\. https?:\/\//);
  await page.getByRole("button", { name: "Copy link" }).click();
  const toast = await page.getByText("Link copied.").boundingBox();
  const send = await page.getByRole("button", { name: "Send" }).boundingBox();
  expect(toast?.y).toBeLessThan((send?.y ?? 0) - 100);
});

test("says that the text of a broken stream is incomplete and unchecked", async ({ page }) => {
  await open(page);
  const chunk = { choices: [{ delta: { content: "Part of an answer [1]." } }], citations: [] };
  const error = {
    message: "The model's response broke off. Try again in a moment.",
    code: "upstream_error",
  };
  await page.route(CHAT_ROUTE, (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: [chunk, { error }].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
    }),
  );
  await ask(page);
  const alert = page.getByRole("article").last().getByRole("alert");
  await expect(alert).toContainText("broke off");
  await expect(alert).toContainText("The answer is incomplete, and its citations weren’t checked.");
});

test("shows the closest passage when the sources don't answer", async ({ page }) => {
  await open(page);
  await ask(page, "What is the apixaban dose for an 85-year-old who weighs 55 kg?");
  const turn = await answered(page);
  await expect(turn.getByRole("region", { name: "Verification" })).toContainText(
    "The answer says that its sources don’t answer the question.",
  );
  const closest = turn.getByRole("region", { name: "Closest passage" });
  await expect(closest.locator("blockquote")).toBeVisible();
  await expect(closest.getByRole("link", { name: /^Open the/ })).toBeVisible();
});

test("typesets formulas, code and tables, and loads their code only then", async ({ page }) => {
  const scripts: string[] = [];
  page.on("response", async (response) => {
    if (response.url().endsWith(".js")) {
      scripts.push(await response.text().catch(() => ""));
    }
  });
  await open(page);
  await ask(page);
  await answered(page);
  const hasKatex = () => scripts.some((script) => script.includes("KaTeX parse error"));
  expect(hasKatex()).toBe(false);
  const content =
    "The clearance is $C_{cr}$:\n\n$$\nC_{cr} = \\frac{140 - a}{72}\n$$\n\nIt costs $5 and $10.\n\n" +
    "- [x] Weigh the patient\n- [ ] Measure creatinine\n\n" +
    "```python\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  await page.route(CHAT_ROUTE, (route) =>
    route.fulfill({ json: { choices: [{ message: { content }, finish_reason: "stop" }] } }),
  );
  await ask(page, "How is it computed?");
  const turn = await answered(page);
  await expect(turn.locator("math")).toHaveCount(2);
  expect(hasKatex()).toBe(true);
  await expect(turn.locator("mfrac")).toBeVisible();
  await expect(turn).toContainText("It costs $5 and $10.");
  await expect(turn.getByRole("img", { name: "Done" })).toBeVisible();
  await expect(turn.getByRole("listitem").filter({ hasText: "Measure" })).toHaveText(
    "Measure creatinine",
  );
  await expect(turn.locator("pre span").first()).toHaveText("print");
  await expect(turn.getByRole("table")).toBeVisible();
  await expectNoFindings(page, "formulas and code");
});

test("compares two settings with verdicts and cost, and asks both again", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("form", { name: "Settings of B" }).getByLabel("Max sources").fill("1");
  const requests: object[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/playground/chat")) {
      requests.push(request.postDataJSON());
    }
  });
  await ask(page);
  const turn = page.getByRole("article");
  await expect(turn.getByRole("button", { name: "Code and JSON" })).toHaveCount(2);
  expect(requests).toMatchObject([
    { citations: { query: "conversation" } },
    { citations: { top_k: 1 } },
  ]);
  const table = turn.getByRole("table", { name: "Comparison of A and B" });
  await expect(table.getByRole("row", { name: /^top_k default 1$/ })).toBeVisible();
  await expect(
    table.getByRole("row", { name: /^Verdicts \d supported \d supported$/ }),
  ).toBeVisible();
  await expect(table.getByRole("row", { name: /^Cost \$0\.\d+ \$0\.\d+$/ })).toBeVisible();
  await expectNoFindings(page, "compared");

  await turn.getByRole("button", { name: "Regenerate" }).click();
  await expect.poll(() => requests.length).toBe(4);
  await expect(table).toBeVisible();

  await page.getByRole("button", { name: "Compare" }).click();
  await ask(page, "How is warfarin monitored?");
  await expect(page.getByRole("article")).toHaveCount(2);
  await answered(page);
  expect(requests).toHaveLength(5);
});

test("fills in a request from its page, and from a link", async ({ page, browser }) => {
  const email = await open(page);
  await page.getByText("Answer", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Store answers" }).check();
  await page.getByLabel("System message").fill("Be brief.");
  await ask(page);
  const turn = await answered(page);
  await expect(turn.getByRole("button", { name: "Share…" })).toBeVisible();
  const requestId = /req_\w{26}/.exec((await turn.textContent()) ?? "")?.[0] ?? "";
  await page.getByRole("button", { name: "New conversation" }).click();
  await visit(page, `/usage/${requestId}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(message(page)).toHaveValue(QUESTION);
  await expect(page).toHaveURL(/\/playground$/);
  await page.getByText("Answer", { exact: true }).click();
  await expect(page.getByLabel("System message")).toHaveValue("Be brief.");

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied", { exact: false })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await browser.newPage();
  await newMember(other);
  await other.goto(link);
  await untilInteractive(other);
  await expect(message(other)).toHaveValue(QUESTION);
  await other.getByText("Answer", { exact: true }).click();
  await expect(other.getByLabel("System message")).toHaveValue("Be brief.");
  await expect(other.getByRole("article")).toHaveCount(0);
  expect(link).not.toContain(email);
  await other.close();
});

test("keeps conversations only when asked to, until signing out", async ({ page }) => {
  await open(page);
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await ask(page);
  await answered(page);
  expect(await stored()).not.toContain("stroke");
  await page.getByRole("button", { name: "History" }).click();
  const dialog = page.getByRole("dialog", { name: "History" });
  await dialog.getByRole("checkbox", { name: /^Keep conversations/ }).check();
  await expect(dialog.getByRole("listitem")).toContainText(QUESTION);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New conversation" }).click();
  await ask(page, "How is warfarin monitored?");
  await answered(page);

  await reload(page);
  await page.getByRole("button", { name: "History" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await expectNoFindings(page, "history");
  await dialog.getByRole("button", { name: QUESTION }).first().click();
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
  await expect(markers(page).first()).toBeVisible();

  await page.getByRole("button", { name: "History" }).click();
  await dialog.getByRole("button", { name: `Delete “${QUESTION}”` }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  expect(await stored()).not.toContain("signs of a stroke");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await stored()).not.toContain("warfarin");
});

test("links to adding funds when the balance is too low", async ({ page }) => {
  await open(page);
  await failWith(page, 402, {
    message: "This request may cost up to $0.30, and only $0.01 is available. Add funds.",
    type: "billing_error",
    param: null,
    code: "insufficient_balance",
    balance: "0.010000",
    required: "0.300000",
    topup_url: "http://localhost/billing",
  });
  await ask(page);
  const failure = page.getByRole("alert").filter({ hasText: "402 insufficient_balance" });
  await expect(failure).toContainText("Balance$0.01");
  await expect(failure).toContainText("Maximum cost$0.30");
  await expect(failure).toContainText("req_test");
  await failure.getByRole("link", { name: "Add funds" }).click();
  await expect(page).toHaveURL(/\/billing$/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
});

test("restores a conversation after a reload but not after signing out", async ({ page }) => {
  const email = await open(page);
  await ask(page);
  await answered(page);
  await reload(page);
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
  await expect(markers(page).first()).toBeVisible();

  await page.getByRole("button", { name: "New conversation" }).click();
  await expect(page.getByText("Ask a question")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();

  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("stroke");
  await page.goto("/sign-in?callbackUrl=/playground");
  await untilInteractive(page);
  await fillIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Ask a question")).toBeVisible();
});

test("redirects a visitor to sign in, with a link back to the playground", async ({ page }) => {
  await page.goto("/playground");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fplayground/);
  expect((await page.request.post("/api/playground/chat", { data: {} })).status()).toBe(401);
});

test("@phone-only answers a question on a phone and shows a source on tap", {
  tag: "@main",
}, async ({ page }) => {
  await open(page);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits(), "empty").toBe(true);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await chooseOption(page, "Ask as", "Public + personal documents");
  await settings.getByRole("button", { name: "Done" }).click();
  await message(page).fill(QUESTION);
  const sent = page.waitForRequest(CHAT_ROUTE);
  await page.getByRole("button", { name: "Send" }).tap();
  expect((await sent).postDataJSON().preset).toBe("personal");
  await answered(page);
  expect(await fits(), "answered").toBe(true);
  await markers(page).first().tap();
  const card = page.getByRole("dialog", { name: /^Source 1/ });
  await expect(card).toBeVisible();
  expect(await fits(), "card").toBe(true);
  await page.getByRole("heading", { name: "Playground" }).tap();
  await expect(card).toBeHidden();
});

test.describe("@phone axe reports no violations", () => {
  test("in the playground: empty, answered, with dialogs, streaming, failed", async ({ page }) => {
    test.slow();
    await open(page);
    await expectNoFindings(page, "empty");
    await ask(page);
    await answered(page);
    await expect(markers(page).first()).toBeVisible();
    await expectNoFindings(page, "answered");
    await markers(page).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectNoFindings(page, "card");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Code and JSON" }).click();
    await expect(page.getByRole("dialog", { name: "Code for this request" })).toBeVisible();
    await expectNoFindings(page, "code");
    await page.keyboard.press("Escape");

    await holdAnswers(page);
    await ask(page, "How is warfarin monitored?");
    await expect(page.getByRole("article").last().locator("[data-marker]").first()).toBeVisible({
      timeout: 30_000,
    });
    await expectNoFindings(page, "being written");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByText("Stopped. You pay only for what was generated")).toBeVisible();
    await expectNoFindings(page, "stopped");
    await failWith(page, 503, {
      message: "The retrieval service did not answer. Try again in a moment.",
      type: "server_error",
      param: null,
      code: "retrieval_unavailable",
    });
    await ask(page, "Who must not take metformin?");
    await expect(page.getByText("503 retrieval_unavailable")).toBeVisible();
    await expectNoFindings(page, "failed");
  });
});
