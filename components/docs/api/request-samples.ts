import type { Sample } from "../code-sample";
import { toGo } from "./go-sample";
import { type Call, requestOf, type SampleRequest } from "./sample-request";

/** The operation's example in four languages. */
export function samplesOf(call: Call): Sample[] {
  const request = requestOf(call);
  return [
    { label: "curl", language: "bash", code: toCurl(request) },
    { label: "Python", language: "python", code: toPython(request) },
    { label: "TypeScript", language: "typescript", code: toTypeScript(request) },
    { label: "Go", language: "go", code: toGo(request) },
  ];
}

/** Ids are shell variables. */
function toCurl({
  method,
  address,
  query,
  type,
  text,
  lines,
  form,
  idempotencyKey,
}: SampleRequest) {
  const filled = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const isPlain = method === "GET" || (method === "POST" && (text !== null || form));
  const option = lines ? "--data-binary" : "-d";
  return [
    `curl ${isPlain ? "" : `-X ${method} `}${query ? `-g "${filled}"` : filled}`,
    `-H "Authorization: Bearer $FOOTNOTE_API_KEY"`,
    ...(idempotencyKey ? [`-H "Idempotency-Key: ${idempotencyKey}"`] : []),
    ...(type ? [`-H "Content-Type: ${type}"`, `${option} '${text}'`] : []),
    ...(form ?? []).map((field) => `-F ${field}`),
  ].join(" \\\n  ");
}

function toPython(request: SampleRequest): string {
  const { method, body, form = [], idempotencyKey } = request;
  const [file] = form.filter((field) => field.includes("=@"));
  const fields = form.filter((field) => field !== file).map((field) => field.split("="));
  const data = fields.map(([name, value]) => `"${name}": "${value}"`).join(", ");
  const options = [
    `    headers={"Authorization": f"Bearer {os.environ['FOOTNOTE_API_KEY']}"${
      idempotencyKey ? `, "Idempotency-Key": "${idempotencyKey}"` : ""
    }},`,
    ...(body ? [`    json=${toPythonValue(body, 1)},`] : []),
    ...linesInPython(request),
    ...(file
      ? [`    data={${data}},`, `    files={"file": open("${fileName(file)}", "rb")},`]
      : []),
  ];
  const answers = {
    json: "response.json()",
    text: "response.text",
    bytes: "len(response.content)",
  };
  return `${request.lines ? "import json\n" : ""}import os
import requests

response = requests.${method.toLowerCase()}(
    ${quoted(request.address, (name) => `{${name}}`, "f")},
${options.join("\n")}
)
response.raise_for_status()
print(${answers[request.answer]})`;
}

function linesInPython({ lines = [] }: SampleRequest): string[] {
  const items = lines.map((line) => `json.dumps(${toPythonValue(line, 1)})`);
  return items.length > 0 ? [`    data="\\n".join([${items.join(", ")}]),`] : [];
}

function toTypeScript(request: SampleRequest): string {
  const { method, body, lines, form, type, idempotencyKey } = request;
  const headers = [
    `    Authorization: \`Bearer \${process.env.FOOTNOTE_API_KEY}\`,`,
    ...(idempotencyKey ? [`    "Idempotency-Key": "${idempotencyKey}",`] : []),
    ...(type ? [`    "Content-Type": "${type}",`] : []),
  ];
  const sent = body
    ? `  body: JSON.stringify(${indent(toLiteral(body), "  ")}),\n`
    : lines
      ? `  body: [${lines.map((line) => `JSON.stringify(${indent(toLiteral(line), "  ")})`).join(", ")}].join("\\n"),\n`
      : form
        ? "  body: form,\n"
        : "";
  return `${form ? formInTypeScript(form) : ""}const response = await fetch(${quoted(request.address, (name) => `\${${name}}`, "`")}, {
${method === "GET" ? "" : `  method: "${method}",\n`}  headers: {
${headers.join("\n")}
  },
${sent}});
console.log(response.status, await response.${request.answer}());`;
}

function formInTypeScript(form: readonly string[]): string {
  const sets = form.map((field) => {
    const [name, value = ""] = field.split("=");
    return value.startsWith("@")
      ? `form.set("${name}", await openAsBlob("${value.slice(1)}"), "${value.slice(1)}");`
      : `form.set("${name}", "${value}");`;
  });
  return `import { openAsBlob } from "node:fs";\n\nconst form = new FormData();\n${sets.join("\n")}\n\n`;
}

/** A string; with ids filled in where there are any. */
function quoted(address: string, fill: (name: string) => string, template: "f" | "`"): string {
  if (!/\{\w+\}/.test(address)) {
    return `"${address}"`;
  }
  const filled = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name));
  return template === "f" ? `f"${filled}"` : `\`${filled}\``;
}

function fileName(field: string): string {
  return field.slice(field.indexOf("@") + 1);
}

/** JSON without quotes around names that need none. */
function toLiteral(value: object): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"(\w+)":/gm, "$1$2:");
}

function indent(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}

/** A JSON value as Python, at a depth of four spaces each. */
function toPythonValue(value: unknown, depth: number): string {
  const text = JSON.stringify(value, null, 4)
    .replaceAll(/(?<=: |^\s*)true(?=,?$)/gm, "True")
    .replaceAll(/(?<=: |^\s*)false(?=,?$)/gm, "False")
    .replaceAll(/(?<=: |^\s*)null(?=,?$)/gm, "None");
  return indent(text, "    ".repeat(depth));
}
