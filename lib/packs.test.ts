import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { PACKS } from "./pack-names";
import { readPack, readPacks } from "./packs";

const folder = path.resolve(import.meta.dirname, "../knowledge");

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}

test.each(globSync(`${folder}/*/*.json`))("%s is what its schema says", (file) => {
  const content = readJson(file);
  const schema = readJson(path.resolve(path.dirname(file), content.$schema));
  expect(() => z.fromJSONSchema(schema).parse(content)).not.toThrow();
  expect(() => z.fromJSONSchema(schema).parse({ ...content, $schema: 1 })).toThrow();
});

test.each(PACKS)("the pack %s has a file of each kind", (pack) => {
  const kinds = globSync("*.schema.json", { cwd: folder }).map((name) => name.split(".")[0]);
  expect(globSync("*.json", { cwd: path.join(folder, pack) }).sort()).toEqual(
    kinds.map((kind) => `${kind}.json`).sort(),
  );
});

test("lists of words are arrays, and the packs' lists are one", () => {
  expect(readPack("medical", "subjects").eponymous).toContain("disease");
  expect(readPacks("subjects").eponymous).toContain("disease");
  expect(readPacks("units").perDay).toMatchObject({ bid: 2 });
});
