import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { builtPages, hashSource } from "./page-scripts";
import { pageHeaders, pagePolicy } from "./security-headers";

const ORIGIN = "http://localhost:3000";
const DATA = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "strict-transport-security": null,
  "cache-control": expect.stringMatching(/^no-store\b/),
};

async function headersOf(pathname: string, init: RequestInit = {}) {
  const response = await dispatch(`${ORIGIN}${pathname}`, init);
  await response.text();
  return response.headers;
}

function expectData(headers: Headers, where: string) {
  const found = Object.keys(DATA).map((name) => [name, headers.get(name)]);
  expect(Object.fromEntries(found), where).toEqual(DATA);
}

describe("a data response", () => {
  it("is inert in a browser, whether it is a success, an error, a stream or a file", async () => {
    const { key, ctx } = await makeKeyedAccount();
    const authorization = `Bearer ${key}`;
    const member = await signedIn(ctx.actor.id);
    const ask = {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What is asthma?" }],
      stream: true,
    };
    const answers: [string, RequestInit][] = [
      ["/v1/models", { headers: { authorization } }],
      ["/v1/models", {}],
      ["/v1/none", {}],
      ["/v1/chat/completions", { method: "PUT" }],
      [
        "/v1/chat/completions",
        {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(ask),
        },
      ],
      ["/api/health", {}],
      ["/api/settings", { headers: member }],
      ["/api/usage/export", { headers: member }],
      ["/api/none", {}],
    ];
    for (const [pathname, init] of answers) {
      expectData(await headersOf(pathname, init), pathname);
    }
  });

  it("is sent as an attachment when it is a file", async () => {
    const { ctx } = await makeKeyedAccount();
    const headers = await headersOf("/api/usage/export", { headers: await signedIn(ctx.actor.id) });
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="/);
    expectData(headers, "export");
  });
});

describe("a page", () => {
  it("only runs its own scripts and those named in its policy", () => {
    const policy = pagePolicy(["'nonce-abc'"]);
    const rules = Object.fromEntries(
      policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]),
    );
    // Outside production, React's development tools need eval.
    expect(rules["script-src"]).toEqual(["'self'", "'nonce-abc'", "'unsafe-eval'"]);
    expect(rules).toMatchObject({
      "default-src": ["'self'"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'self'"],
      "frame-ancestors": ["'none'"],
    });
    expect(pageHeaders(policy)).toMatchObject({
      "content-security-policy": policy,
      "cross-origin-opener-policy": "same-origin",
    });
  });

  it("served over HTTPS enforces HTTPS and binds its cookies to the host", () => {
    const code = `(async () => {
      const { DATA_HEADERS, pageHeaders, pagePolicy } = await import("./lib/platform/http/security-headers.ts");
      const { authCookies } = await import("./lib/platform/auth/cookies.ts");
      const { dismissalCookie } = await import("./lib/money/billing/onboarding-cookie.ts");
      const page = pageHeaders(pagePolicy([]));
      console.log(JSON.stringify({ data: DATA_HEADERS, page, cookies: authCookies(),
        steps: dismissalCookie("acct_1", true) }));
    })()`;
    const { stdout } = spawnSync(
      process.execPath,
      ["--conditions=react-server", "--import", "tsx", "-e", code],
      { env: { ...process.env, APP_URL: "https://footnote.example", NODE_ENV: "production" } },
    );
    const { data, page, cookies, steps } = JSON.parse(String(stdout));
    expect(data["strict-transport-security"]).toBe("max-age=31536000");
    expect(page["strict-transport-security"]).toBe("max-age=31536000");
    expect(page["content-security-policy"]).toContain("upgrade-insecure-requests");
    expect(page["content-security-policy"]).not.toContain("unsafe-eval");
    expect(Object.keys(cookies)).toHaveLength(6);
    for (const { name, options } of Object.values<{ name: string; options: object }>(cookies)) {
      expect(name).toMatch(/^__Host-next-auth\./);
      expect(options).toMatchObject({ secure: true, httpOnly: true, path: "/", sameSite: "lax" });
      expect(options).not.toHaveProperty("domain");
    }
    expect(steps).toMatch(
      /^__Host-footnote-steps=acct_1; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
    );
  }, 60_000);
});

describe("a prerendered page", () => {
  const INLINE = ["self.x=1", "a<b&&c"];

  async function buildFolder(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-build-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(path.join(folder, "server/app/docs"), { recursive: true });
    const routes = { "/": {}, "/docs/a": {}, "/sitemap.xml": {} };
    await writeFile(path.join(folder, "prerender-manifest.json"), JSON.stringify({ routes }));
    const scripts = INLINE.map((text) => `<script id="s">${text}</script>`).join("");
    const html = `<html><script src="/x.js" async=""></script>${scripts}<p>text</p></html>`;
    await writeFile(path.join(folder, "server/app/index.html"), html);
    await writeFile(path.join(folder, "server/app/docs/a.html"), "<script>other</script>");
    await writeFile(path.join(folder, "server/secret.html"), "<script>secret</script>");
    return folder;
  }

  it("is listed with the hashes of its inline scripts; other paths aren't listed", async () => {
    const find = builtPages(await buildFolder());
    expect(find("/")).toEqual(INLINE.map(hashSource));
    expect(find("/docs/a")).toEqual([hashSource("other")]);
    for (const pathname of ["/sitemap.xml", "/keys", "/../secret", "/docs", "/docs/a.html", ""]) {
      expect(find(pathname), pathname).toBeNull();
    }
  });

  it("isn't listed in development", () => {
    expect(builtPages(path.join(os.tmpdir(), "footnote-no-such-build"))("/")).toBeNull();
  });
});
