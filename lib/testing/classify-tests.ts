import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const TESTS = "{app,components,deploy,lib,prisma,scripts,server,tests}/**/*.test.{ts,tsx}";
const EXTENSIONS = ["", ".ts", ".tsx", ".mjs"];

/** What an import outside of comments and types looks like, static or dynamic. */
const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?!type\s)[^;'"`()]*?from\s*"([^"]+)"|(?:^|[\s;(=!])import\s*\(?\s*"([^"]+)"/g;
/** In a test or what it imports: every route handler at once, or a server of its own. */
const OUTSIDE = /\bimport\.meta\.glob\b|\bcreateServer\(/;

/** A test that can reach one of these, however indirectly, is an integration test. */
export const DATABASE_PACKAGES = ["@electric-sql/pglite", "pg", "ioredis"];
/** So is one that starts programs or threads. */
const PROCESSES = ["node:child_process", "node:worker_threads", "piscina"];

/** Integration tests that a server answers over HTTP as well as a route handler called directly. */
const OVER_HTTP = ["app/v1/**/*.test.ts", "lib/{chat,models/vendor,telemetry}/**/*.test.ts"];
/** Programs that are tested on an embedded database of their own, whatever the others run on. */
const EMBEDDED = ["scripts/*.test.ts"];
/** What takes long: random requests and histories, and processes that are killed. */
const FUZZ = ["{lib,tests}/**/fuzz.test.ts", "lib/chat/splits.test.ts"];
const FAULTS = ["lib/*/kill.test.ts"];

export interface ClassifiedTests {
  unit: string[];
  integration: string[];
  embedded: string[];
  http: string[];
  fuzz: string[];
  faults: string[];
}

/** Sorts the test files, as paths from the root, by what their imports reach: nobody has to file a test. */
export function classifyTests(): ClassifiedTests {
  const known = new Map<string, string[]>();
  const sorted: ClassifiedTests = {
    ...{ unit: [], integration: [], embedded: [], http: [] },
    ...{ fuzz: [], faults: [] },
  };
  for (const test of globSync(TESTS, { cwd: root }).toSorted()) {
    sorted[kindOf(test, known)].push(test);
  }
  return sorted;
}

function kindOf(test: string, known: Map<string, string[]>): keyof ClassifiedTests {
  const matches = (patterns: string[]) =>
    patterns.some((pattern) => path.matchesGlob(test, pattern));
  if (matches(FUZZ)) {
    return "fuzz";
  }
  if (matches(FAULTS)) {
    return "faults";
  }
  if (!reachesOutside(path.join(root, test), known)) {
    return "unit";
  }
  if (matches(EMBEDDED)) {
    return "embedded";
  }
  return matches(OVER_HTTP) ? "http" : "integration";
}

function reachesOutside(test: string, known: Map<string, string[]>): boolean {
  const seen = new Set([test]);
  for (const file of seen) {
    for (const specifier of importsOf(file, known)) {
      if (isOutside(specifier)) {
        return true;
      }
      const resolved = resolve(file, specifier);
      if (resolved) {
        seen.add(resolved);
      }
    }
  }
  return false;
}

function isOutside(specifier: string): boolean {
  return (
    [...DATABASE_PACKAGES, ...PROCESSES, OUTSIDE.source].includes(specifier) ||
    specifier.endsWith("/generated/prisma/client")
  );
}

function importsOf(file: string, known: Map<string, string[]>): string[] {
  const before = known.get(file);
  if (before) {
    return before;
  }
  const text = /\.(ts|tsx|mjs)$/.test(file) ? readFileSync(file, "utf8") : "";
  const imports = [...text.matchAll(IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");
  const all = OUTSIDE.test(text) ? [...imports, OUTSIDE.source] : imports;
  known.set(file, all);
  return all;
}

/** A module of ours, or null for a package. */
function resolve(from: string, specifier: string): string | null {
  const isOurs = specifier.startsWith("@/") || specifier.startsWith(".");
  if (!isOurs) {
    return null;
  }
  const base = specifier.startsWith("@/")
    ? path.join(root, specifier.slice(2))
    : path.resolve(path.dirname(from), specifier);
  const file = EXTENSIONS.map((extension) => base + extension).find(
    (name) => existsSync(name) && statSync(name).isFile(),
  );
  return file ?? null;
}
