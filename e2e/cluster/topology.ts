import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { root } from "../faults/product";

// compose.scale.yaml, whose parts the cluster runs with the same files and commands, but without containers.

interface Service {
  command?: string[];
}

const { services }: { services: Record<string, Service> } = parse(
  readFileSync(path.join(root, "compose.scale.yaml"), "utf8"),
  { merge: true },
);

/** Of the product. */
export const SERVER_NAMES = Object.keys(services).filter((name) => /^server-\d+$/.test(name));
export const PASSWORD = "footnote";

/** A service's command with the values that Compose would fill in from `env` or its defaults. */
export function commandOf(name: string, env: Record<string, string> = {}): string[] {
  const { command } = services[name] ?? {};
  if (!command) {
    throw new Error(`${name} has no command in compose.scale.yaml`);
  }
  return command.map((part) =>
    part.replaceAll(
      /\$\{(\w+):-([^}]*)\}/g,
      (_all, variable, value: string) => env[variable] ?? value,
    ),
  );
}

/** A file of deploy/compose. */
export function readConfig(file: string): string {
  return readFileSync(path.join(root, "deploy/compose", file), "utf8");
}

/** A file of deploy/compose with other addresses and paths. Throws if it lacks one that should be replaced. */
export function configWith(file: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) {
      throw new Error(`deploy/compose/${file} has no "${from}"`);
    }
    return text.replace(from, to);
  }, readConfig(file));
}
