import path from "node:path";
import ts from "typescript";

export interface Typed {
  apiVersion: string;
  kind: string;
}

/**
 * What TypeScript says of objects as literals of their kinds' types: fields that a kind does not have, at any depth,
 * which the schemas let pass as a cluster would that drops them. `packages` has the package of each API version.
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
