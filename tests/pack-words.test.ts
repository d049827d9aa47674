import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { dictionary } from "@zxcvbn-ts/language-en";
import ts from "typescript";
import { expect, it } from "vitest";
import { PACKS } from "@/lib/pack-names";
import { readPack } from "@/lib/packs";

const root = path.resolve(import.meta.dirname, "..");

/** Texts that show the product on documents of a field, or ask a model about some. */
const EXAMPLES = new Set([
  "components/auth/flagged-claim.tsx",
  "components/docs/api/examples.ts",
  "components/keys/sample-call.ts",
  "components/playground/labels.ts",
  "components/site/figures.tsx",
  "components/site/live-demo.tsx",
  "components/site/samples.ts",
  "components/start/first-call.ts",
  "lib/answers/citations/model-prompt.ts",
  "lib/answers/citations/schema.ts",
  "lib/answers/demo/scripted.ts",
  "lib/answers/demo/suggestions.ts",
  "scripts/doctor/embedding.ts",
  "scripts/doctor/models.ts",
  "scripts/models/manage.ts",
]);
/** Words of a pack that mean something else in code. */
const OTHER_MEANINGS = new Set(
  "appendix diagnostics drop drops height mono null outlook pulse seed skeleton stroke temperature variant".split(
    " ",
  ),
);
/** The most common words belong to no field. */
const COMMON = new Set(dictionary["commonWords-en"].slice(0, 3000));
const MIN_LETTERS = 4;

/** What names something in a pack: not the verbs and adjectives, which other fields have too. */
function namesIn(pack: (typeof PACKS)[number]): string[] {
  const { groups, phrases, classes } = readPack(pack, "names");
  const { subjects, eponymous } = readPack(pack, "subjects");
  const { people, populations, conditions, counted } = readPack(pack, "words");
  return [
    ...groups.flat(),
    ...Object.entries(phrases).flat(),
    ...classes.flatMap(({ names, members }) => [...names, ...members]),
    ...readPack(pack, "synonyms").groups.flat(),
    ...readPack(pack, "contrasts").kinds.flat(2),
    ...readPack(pack, "units").units.flatMap(({ names }) => names),
    ...Object.values(readPack(pack, "questions")).flat(2),
    ...[subjects, eponymous, people, populations, conditions, counted].flat(),
  ];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of every string, template, regular expression and text of a page in a file. */
function literalsOf(file: string): string[][] {
  const found: string[][] = [];
  const visit = (node: ts.Node) => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isJsxText(node)
    ) {
      found.push(wordsOf(node.text));
    }
    ts.forEachChild(node, visit);
  };
  const text = readFileSync(path.join(root, file), "utf8");
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

const names = PACKS.flatMap(namesIn)
  .map((name) => wordsOf(name).join(" "))
  .filter((name) => name.length >= MIN_LETTERS && !COMMON.has(name) && !OTHER_MEANINGS.has(name));
const single = new Set(names.filter((name) => !name.includes(" ")));
const phrases = names.filter((name) => name.includes(" ")).map((name) => ` ${name} `);

function packWordsIn(file: string): string[] {
  const found = literalsOf(file).flatMap((words) => {
    const text = ` ${words.join(" ")} `;
    return [
      ...words.filter((word) => single.has(word)),
      ...phrases.filter((p) => text.includes(p)),
    ];
  });
  return [...new Set(found)];
}

const files = globSync("{app,components,lib,scripts,server}/**/*.{ts,tsx,mjs}", {
  cwd: root,
}).filter((file) => !/\.test\.tsx?$|^lib\/(?:testing|generated)\//.test(file));

it("has no word of a pack in code, except in examples", () => {
  expect(names.length).toBeGreaterThan(1000);
  const found = files
    .filter((file) => !EXAMPLES.has(file))
    .flatMap((file) => {
      const words = packWordsIn(file);
      return words.length > 0 ? [[file, words] as const] : [];
    });
  expect(Object.fromEntries(found)).toEqual({});
});

it("lists only examples that have words of a pack", () => {
  expect([...EXAMPLES].filter((file) => packWordsIn(file).length === 0)).toEqual([]);
});
