import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { OF_ALL_ACCOUNTS, WITHOUT_ACCOUNT } from "./named-accounts";

/** Tables with an account's rows, and their Prisma models, from the schema. */
const models = [
  ...readFileSync("prisma/schema.prisma", "utf8").matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm),
].flatMap(([, model = "", fields = ""]) => {
  const table = /@@map\("(\w+)"\)/.exec(fields)?.[1];
  return table && /^ {2}accountId\s+String\s/m.test(fields)
    ? [{ table, model: `${model.charAt(0).toLowerCase()}${model.slice(1)}` }]
    : [];
});
const TABLE = new RegExp(
  `\\b(?:FROM|JOIN|UPDATE|INTO|USING)\\s+(${models.map(({ table }) => table).join("|")})\\b(?:\\s+(?:AS\\s+)?([a-z_]+\\b))?`,
  "g",
);
const PRISMA = new RegExp(
  `\\.(?:${models.map(({ model }) => model).join("|")})\\.(?:find|update|delete|count|aggregate|groupBy|create|upsert)\\w*$`,
);
const KEYWORDS =
  /^(?:as|for|group|join|left|limit|on|order|returning|select|set|union|using|values|where)$/i;

/** An `account_id` without an alias, or conditions from elsewhere that begin with one. */
const NAMED = /(?<![.\w])account_id\b|\$\{(?:READABLE\w*|REFERABLE_BY_KEY_SQL|OF_KEY_SQL|range)\}/;

/** Whether a statement compares or sets the account of each table in it that has one. */
function namesAccount(statement: string): boolean {
  return [...statement.matchAll(TABLE)].every(([reference, , alias]) =>
    alias && !reference.startsWith("INTO") && !KEYWORDS.test(alias)
      ? new RegExp(`\\b${alias}\\.account_id\\b`).test(statement)
      : NAMED.test(statement),
  );
}

/** How many statements of a file, in SQL or through Prisma, name no account. */
function countUnnamed(file: string): number {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  let count = 0;
  const isUnnamed = (node: ts.Node, text: string): boolean =>
    ts.isCallExpression(node)
      ? PRISMA.test(node.expression.getText(source)) && !/\baccountId\b|\bctx\b/.test(text)
      : (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) &&
        /^[`"']\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE)\b/.test(text) &&
        !namesAccount(text);
  const visit = (node: ts.Node): void => {
    count += isUnnamed(node, node.getText(source)) ? 1 : 0;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}

describe("a statement on tables with account rows", () => {
  const files = globSync("{lib,app,server}/**/*.{ts,tsx}").filter(
    (name) => !/\.test\.tsx?$|^lib\/(?:testing|generated)\//.test(name),
  );
  const found = Object.fromEntries(
    files.flatMap((name) => {
      const count = countUnnamed(name);
      return count > 0 ? [[name, count] as const] : [];
    }),
  );
  const known = { ...OF_ALL_ACCOUNTS, ...WITHOUT_ACCOUNT };

  it("names the account, except for those listed", () => {
    expect(models.length).toBeGreaterThan(30);
    const added = Object.entries(found).filter(([name, count]) => count > (known[name] ?? 0));
    expect(Object.fromEntries(added)).toEqual({});
  });

  it("is listed only while it doesn't", () => {
    expect(Object.keys(known).filter((name) => !found[name])).toEqual([]);
  });

  it.each([
    ["SELECT id FROM chunk WHERE account_id = $1", true],
    ["SELECT id FROM chunk WHERE id = $1", false],
    [
      "SELECT c.id FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.account_id = $1",
      false,
    ],
    ["UPDATE job SET status = $2 WHERE id = $1 AND account_id = $3", true],
    ["INSERT INTO document_page (document_id, page) VALUES ($1, $2)", false],
    ["SELECT 1 FROM vector_space WHERE space = $1", true],
  ])("is understood: %s", (statement, isNamed) => {
    expect(namesAccount(statement)).toBe(isNamed);
  });
});
