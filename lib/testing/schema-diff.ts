import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";

const schemaPath = path.resolve(import.meta.dirname, "../../prisma/schema.prisma");

/**
 * The SQL that migrates the source to schema.prisma; only a comment if they agree. `from: "empty"` generates a
 * first migration; otherwise the source is the adapter's live database.
 */
export async function diffSchema(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  from: "empty" | "database",
): Promise<string> {
  await loadEngine();
  const content = await readFile(schemaPath, "utf8");
  const schema = { files: [{ path: schemaPath, content }] };
  const { SchemaEngine } = engine;
  const instance = await SchemaEngine.new(
    { datamodels: [[schemaPath, content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
  const result = await instance.diff({
    from:
      from === "empty"
        ? { tag: "empty" }
        : { tag: "schemaDatasource", ...schema, configDir: path.dirname(schemaPath) },
    to: { tag: "schemaDatamodel", ...schema },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  instance.free();
  return result.stdout ?? "";
}

async function loadEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve(
    "@prisma/schema-engine-wasm/schema_engine_bg",
  );
  const bytes = await readFile(entry.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    "./schema_engine_bg.js": { ...engine },
  });
  const start = instance.exports.__wbindgen_start;
  engine.__wbg_set_wasm(instance.exports);
  if (typeof start === "function") {
    start();
  }
}
