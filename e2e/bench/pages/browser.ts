import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cookie, chromium, type Page } from "@playwright/test";
import type { Product } from "./product";

const FLAGS = [
  ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-extensions"],
  ...["--no-first-run", "--no-default-browser-check", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--disable-default-apps", "--mute-audio"],
];
const START_TRIES = 100;

/** A browser with a separate profile and a debugging port for Lighthouse. */
export interface Browser {
  port: number;
  close(): Promise<void>;
}

export async function openBrowser(executable: string): Promise<Browser> {
  const profile = await mkdtemp(path.join(os.tmpdir(), "footnote-browser-"));
  const child = spawn(
    executable,
    [...FLAGS, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: "ignore" },
  );
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  for (let tries = 0; tries < START_TRIES && child.exitCode === null; tries += 1) {
    const contents = await readFile(path.join(profile, "DevToolsActivePort"), "utf8").catch(
      () => "",
    );
    if (contents) {
      return { port: Number(contents.split("\n")[0]), close };
    }
    await sleep(100);
  }
  await close();
  throw new Error(`${executable} started, but opened no port to drive it by.`);
}

/** Signs in with the form in the profile's window, so that the session persists. */
export async function signInWith({ port }: Browser, product: Product) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  if (!context) {
    throw new Error("the browser has no window");
  }
  const page = await context.newPage();
  await signIn(page, product);
  const state = await context.storageState();
  await page.close();
  return { browser, state };
}

/** Replaces the profile's cookies: none are a stranger's, who sees the account pages. */
export async function setCookies({ port }: Browser, cookies: Cookie[]): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  await context?.clearCookies();
  await context?.addCookies(cookies);
  await browser.close();
}

/** Signs in with the form. */
export async function signIn(page: Page, { url, email, password }: Product): Promise<void> {
  await page.goto(`${url}/sign-in`, { waitUntil: "networkidle" });
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${url}/overview`);
}
