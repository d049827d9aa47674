import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import { ensureBrowser } from "@/scripts/browser.mjs";
import { signIn } from "./bench/pages/browser";
import { openProduct } from "./bench/pages/product";

// npm run screenshots: the pictures of the README, of the built product on a fresh embedded database with an account
// that is in use. The answer is the built-in model's.

const FOLDER = path.resolve("docs/images");
const QUESTION = "What are the signs of a stroke?";
const ROWS = { documents: 40, records: 10_000 };

const executablePath = await ensureBrowser((line: string) => process.stderr.write(`${line}\n`));
await mkdir(FOLDER, { recursive: true });
const product = await openProduct(ROWS);
try {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
  });
  const page = await context.newPage();
  await home(page);
  await signIn(page, product);
  await overview(page);
  await playground(page);
  await browser.close();
} finally {
  await product.close();
}

/** The answer that is wrong on purpose, with the words that contradict it. */
async function home(page: Page): Promise<void> {
  await page.goto("/", { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  await keep(page, "flagged-claim");
}

async function overview(page: Page): Promise<void> {
  // What a new account still has to do is told to new accounts.
  await page.request.post("/api/overview/steps", { data: { is_dismissed: true } });
  await page.goto("/overview", { waitUntil: "networkidle" });
  await page.locator("figure svg").nth(1).waitFor();
  await keep(page, "overview");
}

async function playground(page: Page): Promise<void> {
  await page.goto("/playground", { waitUntil: "networkidle" });
  await page.getByLabel("Message", { exact: true }).fill(QUESTION);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Code and JSON" }).waitFor();
  await page.waitForLoadState("networkidle");
  await page
    .getByRole("button", { name: /^\[1\], / })
    .first()
    .hover();
  await page.getByRole("dialog", { name: /^Source 1/ }).waitFor();
  await keep(page, "playground");
}

async function keep(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  const blank = await page.context().newPage();
  const picture = Buffer.from(await blank.evaluate(toWebp, png.toString("base64")), "base64");
  await blank.close();
  await writeFile(path.join(FOLDER, `${name}.webp`), picture);
  process.stdout.write(`docs/images/${name}.webp: ${Math.round(picture.length / 1000)} kB\n`);
}

/** Runs in a page: the picture as WebP, which takes half the room; nothing that is seen is lost. */
async function toWebp(png: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.95).split(",")[1] ?? "";
}
