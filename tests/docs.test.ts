import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findMarkdownPage } from "@/components/docs/pages";

const root = path.resolve(import.meta.dirname, "..");

const PAGES = find(
  ["*.md", "docs/**/*.md", ".github/**/*.md", "{components,deploy,e2e,lib,server}/**/*.md"],
  /^e2e\/red-team\/documents\/|^lib\/generated\//,
);
const SOURCES = find(
  ["{app,components,deploy,e2e,lib,prisma,scripts,server,tests}/**/*.{ts,tsx,mjs,sql,yaml}"],
  /\.(test|spec)\.tsx?$|^lib\/generated\//,
);
/** A path in backticks, relative to the root, such as `lib/platform/env.ts` or `deploy/kubernetes`. */
const PATH_IN_TEXT =
  /`((?:app|components|deploy|docs|e2e|lib|prisma|public|scripts|server|tests|\.ci)\/[\w./()[\]-]+)`/g;
const LINK = /(?<!!)\[[^\]]*\]\(([^()\s]+)\)|!\[[^\]]*\]\(([^()\s]+)\)/g;

function find(patterns: string[], excluded: RegExp): string[] {
  return globSync(patterns, { cwd: root, exclude: ["**/node_modules/**"] })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => !excluded.test(name));
}

function read(name: string): string {
  return readFileSync(path.join(root, name), "utf8");
}

function withoutCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
}

/** The anchors that code hosts and the site generate for a page's headings. */
function anchorsOf(name: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCodeBlocks(read(name)).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) {
      anchor = `${slug}-${count}`;
    }
    anchors.add(anchor);
  }
  return anchors;
}

/** The problem with a link in `name`; null if its target exists. */
function problemOf(name: string, href: string): string | null {
  const [target = "", anchor] = href.split("#");
  const file = target ? path.posix.join(path.posix.dirname(name), target) : name;
  if (!existsSync(path.join(root, file))) {
    return `${name}: ${href} does not exist`;
  }
  if (anchor && file.endsWith(".md") && !anchorsOf(file).has(anchor)) {
    return `${name}: ${href} has no such section`;
  }
  return null;
}

describe("documentation", () => {
  it("links only to files and sections that exist", () => {
    const links = PAGES.flatMap((name) =>
      [...withoutCodeBlocks(read(name)).matchAll(LINK)]
        .map(([, link, image]) => link ?? image ?? "")
        .filter((href) => !/^[a-z]+:/i.test(href))
        .map((href) => ({ name, href })),
    );
    expect(links.length).toBeGreaterThan(100);
    const problems = links.map(({ name, href }) => problemOf(name, href)).filter(Boolean);
    expect(problems).toEqual([]);
  });

  it("names only paths that exist", () => {
    const named = PAGES.flatMap((name) =>
      [...read(name).matchAll(PATH_IN_TEXT)].map(([, file = ""]) => ({ name, file })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it("has every section that the code refers to", () => {
    const links = SOURCES.flatMap((name) =>
      [...read(name).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([href]) => ({
        name,
        href,
      })),
    );
    const problems = links.map(({ name, href }) => {
      const problem = problemOf("README.md", href);
      return problem && `${name}: ${href}`;
    });
    expect(links.length).toBeGreaterThan(0);
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it("has every section that the site links to", () => {
    const links = SOURCES.flatMap((name) =>
      [...read(name).matchAll(/["'`]\/docs\/([\w-]+)#([\w-]+)["'`]/g)].map(([, slug, anchor]) => ({
        name,
        slug,
        anchor,
      })),
    ).filter(({ slug }) => slug !== "api");
    const problems = links.map(({ name, slug, anchor }) => {
      const page = findMarkdownPage(slug ?? "");
      const isThere = page && anchorsOf(page.file).has(anchor ?? "");
      return isThere ? null : `${name}: /docs/${slug}#${anchor}`;
    });
    expect(links.length).toBeGreaterThan(0);
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it("skips no level of headings, which screen readers read as an outline", () => {
    const skipped = PAGES.flatMap((name) => {
      const levels = [...withoutCodeBlocks(read(name)).matchAll(/^(#{1,6}) .+$/gm)];
      return levels.flatMap(([heading, signs = ""], at) => {
        const before = levels[at - 1]?.[1]?.length ?? signs.length;
        return signs.length > before + 1 ? [`${name}: ${heading}`] : [];
      });
    });
    expect(skipped).toEqual([]);
  });

  it("keeps the README to 80 lines and each decision to 45", () => {
    const long = [
      ...(read("README.md").split("\n").length > 81 ? ["README.md"] : []),
      ...find(["docs/decisions/*.md"], /README/).filter(
        (name) => read(name).split("\n").length > 46,
      ),
    ];
    expect(long).toEqual([]);
  });
});
