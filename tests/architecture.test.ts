import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { describeImports, findCircle, roomImports } from "./architecture-rooms";
import { ALLOWED_TABLE_ACCESS, TABLE_OWNERS } from "./architecture-tables";
import {
  LEGITIMATE,
  RETIRED_FORMS,
  RETIRED_PHRASES,
  RETIRED_WORDS,
} from "./architecture-vocabulary";

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

function isProduct(name: string): boolean {
  return !/\.test\.tsx?$|^lib\/(testing|generated)\//.test(name);
}

function parse(name: string): ts.SourceFile {
  return ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest);
}

/** The text of every string and template in a file. */
function stringsOf(name: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(name));
  return texts;
}

function tablesNamedIn(name: string): string[] {
  const named = stringsOf(name).flatMap((text) =>
    [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:ONLY\s+)?"?(\w+)/g)].map(
      ([, table = ""]) => table,
    ),
  );
  return [...new Set(named)].filter((table) => Object.hasOwn(TABLE_OWNERS, table)).sort();
}

function exportedFunctions(name: string): string[] {
  return parse(name)
    .statements.filter(ts.isFunctionDeclaration)
    .filter((each) => each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map((each) => each.name?.text ?? "default");
}

function isRetired(name: string, forms = RETIRED_FORMS): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return (
    !LEGITIMATE.has(name) &&
    (words.some((word) => Object.hasOwn(RETIRED_WORDS, word)) ||
      forms.some((form) => form.test(name)))
  );
}

/** The retired name or phrase in a node, if any. Phrases count only in text that components and pages show. */
function retiredText(node: ts.Node, showsText: boolean): string | undefined {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
    return isRetired(node.text, showsText ? RETIRED_FORMS : []) ? node.text : undefined;
  }
  const isText = ts.isJsxText(node) || ts.isStringLiteralLike(node);
  return showsText && isText ? RETIRED_PHRASES.exec(node.text)?.[0] : undefined;
}

function retiredIn(file: string): string[] {
  const found = new Set(isRetired(file) ? [file] : []);
  const showsText = /^(app|components)\//.test(file);
  const visit = (node: ts.Node) => {
    const text = retiredText(node, showsText);
    if (text) {
      found.add(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return [...found].sort();
}

const RESERVED =
  /(^|\/)((page|layout|template|loading|error|global-error|not-found|default|opengraph-image|icon)\.tsx|(route|sitemap|robots|manifest)\.ts|route\.test\.ts|globals\.css|icon\.svg|apple-icon\.png|opengraph-image\.png)$/;

/** Sections of docs/specification.md that a test title must start with. */
const SECTIONS = [
  ...["4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5", "4.1.6"],
  ...["4.2", "5", "7.1"],
  ...["7.2.1", "7.2.2", "7.2.3", "7.2.4", "8"],
];

describe("architecture", () => {
  it("allows only file names reserved by Next.js in app/", () => {
    expect(files("app/**/*.*").filter((name) => !RESERVED.test(name))).toEqual([]);
  });

  it("creates every endpoint with route(), or with memberRoute() or keyRoute(), which call it", () => {
    const endpoints = files("app/**/route.ts").filter((name) => !name.includes("[...nextauth]"));
    const unguarded = endpoints.filter((name) => {
      const text = read(name);
      const exports = text.match(/^export (const|async function|function) /gm) ?? [];
      const made =
        text.match(
          /^export const (\w+ = ((route|memberRoute)\(\{|keyRoute\()|\{[^}]+\} = (only(Get|Post)|member(Get|Post|Delete)|key(Get|Post)|methodNotAllowed|notFoundHandler)\()/gm,
        ) ?? [];
      return exports.length === 0 || exports.length !== made.length;
    });
    expect(endpoints.length).toBeGreaterThan(5);
    expect(unguarded).toEqual([]);
  });

  it("answers every method on every path, with 405 if not supported", () => {
    const endpoints = files("app/**/route.ts").filter((name) => !name.includes("[...nextauth]"));
    const incomplete = endpoints.filter((name) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"].some(
        (method) => !new RegExp(`\\b${method}\\b[^"]`).test(read(name)),
      ),
    );
    expect(incomplete).toEqual([]);
  });

  it("limits routes to 45 lines and pages to 60", () => {
    const long = [
      ...files("app/**/route.ts").map((name) => ({ name, limit: 45 })),
      ...files("app/**/page.tsx").map((name) => ({ name, limit: 60 })),
    ].filter(({ name, limit }) => read(name).split("\n").length > limit);
    expect(long).toEqual([]);
  });

  it("marks every read and write module server-only", () => {
    const modules = files("lib/{models,*/*}/{read,write}.ts").concat(
      files("lib/{models,*/*}/write/*.ts"),
    );
    const unmarked = modules.filter(
      (name) => !name.endsWith(".test.ts") && !read(name).startsWith('import "server-only";'),
    );
    expect(unmarked).toEqual([]);
  });

  it("uses only web-standard requests and responses in /v1", () => {
    const modules = files("app/v1/**/*.ts").concat(
      files(
        "lib/{text,reading,evidence,models,library,platform/{http,db,limits},money/{billing,usage},answers/{builtin,citations,chat,responses}}/**/*.ts",
      ),
      ["lib/platform/auth/api-key.ts"],
    );
    expect(modules.filter((name) => /from "next(\/|")/.test(read(name)))).toEqual([]);
  });

  it("assigns every table to one domain", () => {
    const tables = [...read("prisma/schema.prisma").matchAll(/@@map\("(\w+)"\)/g)].map(
      ([, table]) => table,
    );
    expect(Object.keys(TABLE_OWNERS).sort()).toEqual(tables.sort());
  });

  it("lists every domain, table and file of the floor in docs/architecture.md", () => {
    const page = read("docs/architecture.md");
    const listed = [...page.matchAll(/^\| ([a-z]+) \| (`.*) \|$/gm)].flatMap(
      ([, domain, row = ""]) => [...row.matchAll(/`(\w+)`/g)].map(([, table]) => [table, domain]),
    );
    expect(Object.fromEntries(listed)).toEqual(TABLE_OWNERS);
    const rooms = files("lib/**/README.md").map((name) => path.basename(path.dirname(name)));
    expect(rooms.filter((room) => !page.includes(`  ${room}/ `))).toEqual([]);
    const floor = files("lib/*.ts").filter(isProduct);
    expect(/the floor: (.*)/.exec(page)?.[1]?.split(", ")).toEqual(
      floor.map((name) => path.basename(name, ".ts")).sort(),
    );
    expect(floor.length).toBeLessThanOrEqual(12);
  });

  it("names a table in SQL only in its own domain", () => {
    const foreign = files("{app,components,lib,server,scripts}/**/*.{ts,tsx}")
      .filter((name) => isProduct(name) && /\b(?:FROM|JOIN|INTO|UPDATE)\b/.test(read(name)))
      .flatMap((name) => {
        const tables = tablesNamedIn(name).filter(
          (table) => name.split("/")[2] !== TABLE_OWNERS[table],
        );
        return tables.length > 0 ? [[name, tables] as const] : [];
      });
    expect(Object.fromEntries(foreign)).toEqual(ALLOWED_TABLE_ACCESS);
  });

  it("exports every function name of lib once", () => {
    const owners = new Map<string, string[]>();
    for (const file of files("lib/**/*.ts").filter(isProduct)) {
      for (const name of exportedFunctions(file)) {
        owners.set(name, [...(owners.get(name) ?? []), file]);
      }
    }
    expect(owners.size).toBeGreaterThan(200);
    expect([...owners].filter(([, exporters]) => exporters.length > 1)).toEqual([]);
  });

  it("uses the field's standard terms instead of retired names", () => {
    const retired = files("{app,components,lib,scripts,server}/**/*.{ts,tsx,mjs}")
      .filter(isProduct)
      .flatMap((name) => {
        const found = retiredIn(name);
        return found.length > 0 ? [[name, found] as const] : [];
      });
    expect(Object.fromEntries(retired)).toEqual({});
  });

  it("gives every prepared statement a unique name", () => {
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

  it("names a test for every section of the interface specification", () => {
    const names = files("{app,lib,tests}/**/*.test.ts")
      .map(read)
      // Tested through the stock client, whose fetch calls the handler.
      .filter((text) => text.includes("openai("))
      .flatMap((text) =>
        [...text.matchAll(/(?:it\(|it\.each\([^)]*\)\(|^ {2}\[)\s*"([\d.]+) /gm)].map(
          ([, section]) => section,
        ),
      );
    expect(SECTIONS.filter((rule) => !names.includes(rule))).toEqual([]);
  });

  it("has a README of at most one screen in every room of lib", () => {
    const long = files("lib/**/README.md").filter((name) => read(name).split("\n").length > 50);
    expect(long).toEqual([]);
  });

  it.each([...roomImports()].filter(([room]) => existsSync(path.join(root, "lib", room))))(
    "has a README in lib/%s that says what it imports",
    async (room, imported) => {
      const line = `- **Imports**: ${describeImports(imported)}`;
      const text = read(`lib/${room}/README.md`).replace(/^- \*\*Imports\*\*:.*$/m, line);
      expect(text).toContain(line);
      await expect(text).toMatchFileSnapshot(`../lib/${room}/README.md`);
    },
  );

  it("has no circle of rooms", () => {
    expect(findCircle(roomImports())).toBeNull();
  });
});
