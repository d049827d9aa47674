import path from "node:path";
import { defineConfig } from "prisma/config";

// Prisma's CLI downloads a schema engine that no command here uses (lib/platform/db/migrate.ts applies the
// migrations). Any existing file stops the download, so that `generate` works without a network.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, "package.json");

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
});
