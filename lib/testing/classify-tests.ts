import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const TESTS = "{app,components,deploy,lib,prisma,scripts,server,tests}/**/*.test.{ts,tsx}";
const EXTENSIONS = ["", ".ts", ".tsx", ".mjs"];

/** What an import outside of comments and types looks like, static or dynamic. */
const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?!type\s)[^;'"`()]*?from\s*"([^"]+)"|(?:^|[\s;(=!])import\s*\(?\s*"([^"]+)"/g;

/** A test that can reach one of these, however indirectly, runs on a database, or on Redis. */
export const DATABASE_PACKAGES = ["@electric-sql/pglite", "pg", "ioredis"];
/** Every route handler at once. */
const ALL_ROUTES = /\bimport\.meta\.glob\b/;
/** What starts programs, threads or servers. */
const PROCESS_PACKAGES = ["node:child_process", "node:worker_threads"];
const OWN_SERVER = /\bcreateServer\(/;

/** Integration tests that a server answers over HTTP as well as a route handler called directly. */
const OVER_HTTP = [
  "app/v1/**/*.test.ts",
  "lib/{answers/chat,models/vendor,operations/telemetry}/**/*.test.ts",
];
/** Programs that are tested on an embedded database of their own, whatever the others run on. */
const OWN_DATABASE = ["scripts/*.test.ts"];
/** What takes long: random requests and histories, hostile text by the megabyte, and processes that are killed. */
const FUZZ = [
  ...["{lib,tests}/**/fuzz.test.ts", "lib/**/running-time.test.ts"],
  ...["lib/answers/chat/splits.test.ts", "lib/answers/builtin/work.test.ts"],
];
const FAULTS = ["lib/**/kill.test.ts"];

export interface ClassifiedTests {
  unit: string[];
  /** The same on any database, so run on one: tests of processes, threads and servers. */
  processes: string[];
  /** Tests of a database. */
  integration: string[];
  /** Of them, those of the public API. */
  http: string[];
  fuzz: string[];
  faults: string[];
}

/** Sorts the test files, as paths from the root, by what their imports reach: nobody has to file a test. */
export function classifyTests(): ClassifiedTests {
  const known = new Map<string, Imports>();
  const sorted: ClassifiedTests = {
    ...{ unit: [], processes: [], integration: [] },
    ...{ http: [], fuzz: [], faults: [] },
  };
  for (const test of globSync(TESTS, { cwd: root }).toSorted()) {
    sorted[kindOf(test, known)].push(test);
  }
  return sorted;
}

function kindOf(test: string, known: Map<string, Imports>): keyof ClassifiedTests {
  const matches = (patterns: string[]) =>
    patterns.some((pattern) => path.matchesGlob(test, pattern));
  if (matches(FUZZ)) {
    return "fuzz";
  }
  if (matches(FAULTS)) {
    return "faults";
  }
  const reached = reach(path.join(root, test), known);
  if (!reached.needsDatabase) {
    return reached.startsProcesses ? "processes" : "unit";
  }
  if (matches(OWN_DATABASE)) {
    return "processes";
  }
  return matches(OVER_HTTP) ? "http" : "integration";
}

interface Imports {
  modules: string[];
  needsDatabase: boolean;
  startsProcesses: boolean;
}

/** What a module and all that it imports need. */
function reach(start: string, known: Map<string, Imports>): Omit<Imports, "modules"> {
  const seen = new Set([start]);
  const total = { needsDatabase: false, startsProcesses: false };
  for (const file of seen) {
    const imports = known.get(file) ?? readImports(file);
    known.set(file, imports);
    total.needsDatabase ||= imports.needsDatabase;
    total.startsProcesses ||= imports.startsProcesses;
    for (const module of imports.modules) {
      seen.add(module);
    }
  }
  return total;
}

function readImports(file: string): Imports {
  const text = /\.(ts|tsx|mjs)$/.test(file) ? readFileSync(file, "utf8") : "";
  const names = [...text.matchAll(IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");
  return {
    modules: names.flatMap((name) => resolve(file, name) ?? []),
    needsDatabase:
      ALL_ROUTES.test(text) ||
      names.some(
        (name) => DATABASE_PACKAGES.includes(name) || name.endsWith("/generated/prisma/client"),
      ),
    startsProcesses: OWN_SERVER.test(text) || names.some((name) => PROCESS_PACKAGES.includes(name)),
  };
}

/** The project file that an import resolves to, or null for a package. */
function resolve(from: string, name: string): string | null {
  if (!name.startsWith("@/") && !name.startsWith(".")) {
    return null;
  }
  const base = name.startsWith("@/")
    ? path.join(root, name.slice(2))
    : path.resolve(path.dirname(from), name);
  const file = EXTENSIONS.map((extension) => base + extension).find(
    (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
  );
  return file ?? null;
}
