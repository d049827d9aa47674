import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

function files(pattern: string): string[] {
  return globSync(pattern, {
    cwd: root,
    exclude: (name) => String(name).endsWith("generated"),
  }).filter((name) => statSync(path.join(root, name)).isFile());
}

function read(name: string): string {
  return readFileSync(path.join(root, name), "utf8");
}

const RESERVED =
  /(^|\/)((page|layout|template|loading|error|global-error|not-found|default|opengraph-image|icon)\.tsx|(route|sitemap|robots|manifest)\.ts|route\.test\.ts|globals\.css|icon\.svg)$/;

/** Every rule of the interface specification that a test must name, by section number. */
const RULES = [
  ...["4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5", "4.1.6"],
  ...["4.2", "5", "7.1"],
  ...["7.2.1", "7.2.2", "7.2.3", "7.2.4", "8"],
];

describe("architecture", () => {
  it("keeps app/ to the file names Next.js reserves", () => {
    expect(files("app/**/*.*").filter((name) => !RESERVED.test(name))).toEqual([]);
  });

  it("opens every HTTP door with route()", () => {
    const doors = files("app/**/route.ts").filter((name) => !name.includes("[...nextauth]"));
    const unguarded = doors.filter((name) => {
      const text = read(name);
      const exports = text.match(/^export (const|async function|function) /gm) ?? [];
      const made =
        text.match(
          /^export const (\w+ = route\(\{|\{[^}]+\} = (methodNotAllowed|notFoundHandler)\()/gm,
        ) ?? [];
      return exports.length === 0 || exports.length !== made.length;
    });
    expect(doors.length).toBeGreaterThan(5);
    expect(unguarded).toEqual([]);
  });

  it("answers each method on every path, be it with 405", () => {
    const doors = files("app/**/route.ts").filter((name) => !name.includes("[...nextauth]"));
    const silent = doors.filter((name) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"].some(
        (method) => !new RegExp(`\\b${method}\\b[^"]`).test(read(name)),
      ),
    );
    expect(silent).toEqual([]);
  });

  it("keeps routes to 40 lines and pages to 60", () => {
    const long = [
      ...files("app/**/route.ts").map((name) => ({ name, limit: 40 })),
      ...files("app/**/page.tsx").map((name) => ({ name, limit: 60 })),
    ].filter(({ name, limit }) => read(name).split("\n").length > limit);
    expect(long).toEqual([]);
  });

  it("marks every read and write module server-only", () => {
    const modules = files("lib/*/{read,write}.ts").concat(files("lib/*/write/*.ts"));
    const unmarked = modules.filter(
      (name) => !name.endsWith(".test.ts") && !read(name).startsWith('import "server-only";'),
    );
    expect(unmarked).toEqual([]);
  });

  it("keeps /v1 to web-standard requests and responses", () => {
    const rooms = files("app/v1/**/*.ts").concat(
      files(
        "lib/{http,db,text,billing,models,extractive,documents,retrieval,citations,chat,usage,limits}/**/*.ts",
      ),
      ["lib/auth/api-key.ts"],
    );
    expect(rooms.filter((name) => /from "next(\/|")/.test(read(name)))).toEqual([]);
  });

  it("names every statement once: a server prepares it under its name", () => {
    const texts = files("lib/**/*.ts").filter((name) => !name.endsWith(".test.ts"));
    const names = texts.flatMap((name) =>
      [
        ...read(name).matchAll(/(?:query|run)(?:<[^(]*>)?\(\s*"([a-z_]+)",\s*([`"][^`"]*[`"])/g),
      ].map(([, statement, text]) => ({ statement, text: text?.replace(/\s+/g, " ") })),
    );
    const clashes = names.filter(({ statement, text }) =>
      names.some((other) => other.statement === statement && other.text !== text),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(clashes).toEqual([]);
  });

  it("has a test for every rule of the interface specification, named by its section number", () => {
    const names = files("{app,lib,tests}/**/*.test.ts")
      .map(read)
      // Proved as callers meet it: by the stock client, whose fetch is the handler.
      .filter((text) => text.includes("openai("))
      .flatMap((text) =>
        [...text.matchAll(/(?:it\(|it\.each\([^)]*\)\(|^ {2}\[)\s*"([\d.]+) /gm)].map(
          ([, section]) => section,
        ),
      );
    expect(RULES.filter((rule) => !names.includes(rule))).toEqual([]);
  });

  it("has a README of one screen in every room of lib", () => {
    const rooms = new Set(files("lib/*/*.ts").map((name) => path.dirname(name)));
    const missing = [...rooms].filter((room) => files(`${room}/README.md`).length === 0);
    const long = files("lib/*/README.md").filter((name) => read(name).split("\n").length > 50);
    expect({ missing, long }).toEqual({ missing: [], long: [] });
  });
});
