import path from "node:path";
import ts from "typescript";

export interface Typed {
  apiVersion: string;
  kind: string;
}

/**
 * Reports fields that a kind doesn't have, at any depth, by type-checking the objects as literals of their kinds' types. The
 * JSON schemas allow such fields, as a cluster that silently drops them would. `packages` maps an API version to its package.
 */
export function typeErrors(
  manifests: readonly Typed[],
  packages: Record<string, string>,
): readonly string[] {
  const lines = manifests.map(
    (manifest, index) =>
      `export const m${index}: import("${packages[manifest.apiVersion]}").I${manifest.kind} = ${JSON.stringify(manifest)};`,
  );
  const file = path.join(import.meta.dirname, "manifests.virtual.ts");
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, lines.join("\n"), ts.ScriptTarget.ES2023)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
