import { readFileSync } from "node:fs";
import path from "node:path";
import * as cnpg from "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1";
import * as gateway from "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { EnvSchema, readEnv } from "@/lib/platform/env";
import { typeErrors } from "./fields";

// Checks that need no cluster: every object matches the schema of its kind, and the names refer to each other.

const folder = path.join(import.meta.dirname, "base");

/** The parts of an object that these tests read. */
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, which its schema checks
  spec: any;
}

const MODELS: Record<string, object> = {
  v1: core,
  "apps/v1": apps,
  "autoscaling/v2": autoscaling,
  "networking.k8s.io/v1": networking,
  "policy/v1": policy,
  "postgresql.cnpg.io/v1": cnpg,
  "gateway.networking.k8s.io/v1": gateway,
};

const OF_OPERATORS: Record<string, string> = {
  "postgresql.cnpg.io/v1": "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1",
  "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1",
};
const PACKAGES = Object.fromEntries(
  Object.keys(MODELS).map((version) => [
    version,
    OF_OPERATORS[version] ?? `kubernetes-models/${version}`,
  ]),
);

type Model = new (data: object) => { validate(): void };

function validate(manifest: Manifest): void {
  const models = MODELS[manifest.apiVersion] as Record<string, Model> | undefined;
  const Kind = models?.[manifest.kind];
  if (!Kind) {
    throw new Error(`no schema for ${manifest.apiVersion} ${manifest.kind}`);
  }
  new Kind(manifest).validate();
}

const { resources } = parse(readFileSync(path.join(folder, "kustomization.yaml"), "utf8")) as {
  resources: string[];
};
const manifests = resources.flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), "utf8")).map(
    (document): Manifest => document.toJS(),
  ),
);
const all = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const one = (kind: string, name: string) => {
  const found = all(kind).find(({ metadata }) => metadata.name === name);
  if (!found) {
    throw new Error(`no ${kind} ${name}`);
  }
  return found;
};
const DEPLOYMENTS = all("Deployment");
const labelsOf = ({ spec }: Manifest): Record<string, string> => spec.template.metadata.labels;
const selects = (labels: Record<string, string>, selector: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe("the Kubernetes base", () => {
  it.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    "defines %s %s according to its schema",
    (_kind, _name, manifest) => {
      validate(manifest);
    },
  );

  it("has no unknown fields", () => {
    expect(typeErrors(manifests, PACKAGES)).toEqual([]);
  });

  it("is rejected with a wrong value, kind or field", () => {
    const server = one("Deployment", "footnote-server");
    expect(() => validate({ ...server, spec: { ...server.spec, replicas: "two" } })).toThrow();
    const database = one("Cluster", "footnote-db");
    expect(() => validate({ ...database, spec: { ...database.spec, instances: "3" } })).toThrow();
    expect(() => validate({ ...server, kind: "Deploymint" })).toThrow();
    const wrong = structuredClone(server);
    wrong.spec.template.spec.containers[0].livenessProb = {};
    expect(typeErrors([wrong], PACKAGES)).toEqual([expect.stringContaining("livenessProb")]);
  });

  it("selects existing pods", () => {
    const selectors = [
      ...all("Service").map(({ spec }) => spec.selector),
      ...all("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
      ...DEPLOYMENTS.map(({ spec }) => spec.selector.matchLabels),
    ];
    expect(selectors.length).toBeGreaterThan(5);
    for (const selector of selectors) {
      expect(DEPLOYMENTS.filter((each) => selects(labelsOf(each), selector))).toHaveLength(1);
    }
  });

  it("scales and routes to existing objects", () => {
    for (const { spec } of all("HorizontalPodAutoscaler")) {
      const { kind, name } = spec.scaleTargetRef;
      expect(one(kind, name).spec.replicas).toBeUndefined();
    }
    for (const { spec } of all("HTTPRoute")) {
      const [{ name, port }] = spec.rules[0].backendRefs;
      expect(one("Service", name).spec.ports[0].port).toBe(port);
    }
  });

  it("reads existing settings and secrets", () => {
    const containers = DEPLOYMENTS.flatMap(({ spec }) => spec.template.spec.containers);
    const sources = containers.flatMap(({ envFrom = [] }) => envFrom);
    const maps = sources.flatMap(({ configMapRef }) => configMapRef?.name ?? []);
    const secrets = sources.flatMap(({ secretRef }) => secretRef?.name ?? []);
    expect(maps.map((name) => one("ConfigMap", name))).toHaveLength(2);
    // Generated by the example's kustomization.
    const example = readFileSync(
      path.join(import.meta.dirname, "example/kustomization.yaml"),
      "utf8",
    );
    const generated = parse(example).secretGenerator.map(({ name }: { name: string }) => name);
    expect(new Set(secrets)).toEqual(new Set(generated));
    const values = containers.flatMap(({ env = [] }) => env);
    // The operator creates this secret for its cluster.
    const clusters = values.map(({ valueFrom }) => valueFrom.secretKeyRef.name);
    expect(clusters).toHaveLength(2);
    expect(new Set(clusters)).toEqual(
      new Set(all("Cluster").map(({ metadata }) => `${metadata.name}-app`)),
    );
  });

  it("sets only known variables, to valid values", () => {
    const data = one("ConfigMap", "footnote").data ?? {};
    const secrets = readFileSync(
      path.join(import.meta.dirname, "example/secrets.example.env"),
      "utf8",
    );
    const secret = [...secrets.matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(secret).toContain("NEXTAUTH_SECRET");
    const names = [...Object.keys(data), ...secret];
    expect(names.filter((name) => !(name in EnvSchema.shape))).toEqual([]);
    // The Gateway appends the client's address.
    expect(readEnv(data)).toMatchObject({ RUN_JOBS: false, TRUSTED_PROXIES: 1 });
  });

  it("opens fewer connections than the database allows", () => {
    const { DATABASE_POOL_SIZE } = readEnv(one("ConfigMap", "footnote").data ?? {});
    const processes =
      all("HorizontalPodAutoscaler")[0]?.spec.maxReplicas +
      one("Deployment", "footnote-worker").spec.replicas;
    const { parameters } = one("Cluster", "footnote-db").spec.postgresql;
    // Besides its pool, a process has one connection for cancellation, one for its lease and one for building indexes.
    expect(processes * (DATABASE_POOL_SIZE + 3)).toBeLessThan(Number(parameters.max_connections));
  });

  it("runs the server, and workers, by the image's commands", () => {
    const containers = DEPLOYMENTS.flatMap(({ spec }) => spec.template.spec.containers);
    const ours = containers.filter(({ image }) => image === "footnote");
    const commands = ours.map(({ name, command, args }) => ({ name, command, args }));
    expect(commands).toEqual([
      { name: "server", command: undefined, args: undefined },
      { name: "worker", command: undefined, args: ["worker"] },
    ]);
  });

  it("runs every container as an unprivileged user on a read-only file system", () => {
    for (const { spec } of DEPLOYMENTS) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext.runAsNonRoot).toBe(true);
      for (const container of containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
        });
        expect(container.resources.limits.memory).toBeDefined();
      }
    }
  });
});
