import type { RequestBody } from "./settings";

/** The environment variable for the key; the code never contains a secret. */
const KEY_VARIABLE = "FOOTNOTE_API_KEY";

export function toCurl(body: RequestBody, origin: string): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return [
    `curl ${origin}/v1/chat/completions${body.stream ? " --no-buffer" : ""} \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${json}'`,
  ].join("\n");
}

/** A request with the stock Python client, with `citations` in extra_body. */
export function toPython({ citations, ...body }: RequestBody, origin: string): string {
  const fields = [
    ...Object.entries(body).map(([name, value]) => `${name}=${pythonValue(value, 1)}`),
    ...(citations ? [`extra_body=${pythonValue({ citations }, 1)}`] : []),
  ];
  return `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["${KEY_VARIABLE}"],
)
completion = client.chat.completions.create(
${fields.map((field) => `    ${field},\n`).join("")})
${body.stream ? PYTHON_STREAM : PYTHON_PLAIN}`;
}

const PYTHON_PLAIN = `print(completion.choices[0].message.content)
for source in getattr(completion, "citations", None) or []:
    print(source["id"], source["title"])`;

const PYTHON_STREAM = `for chunk in completion:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`;

export function toTypeScript(body: RequestBody, origin: string): string {
  const kind = body.stream ? "Streaming" : "NonStreaming";
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: process.env.${KEY_VARIABLE},
});
const request = ${JSON.stringify(body, null, 2)};
// Cast, because the client's types don't include "citations".
const completion = await client.chat.completions.create(
  request as OpenAI.ChatCompletionCreateParams${kind},
);
${body.stream ? TYPESCRIPT_STREAM : "console.log(completion.choices[0]?.message.content);"}`;
}

const TYPESCRIPT_STREAM = `for await (const chunk of completion) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}`;

/** Formats a JSON value as Python. */
function pythonValue(value: unknown, depth: number): string {
  const inner = "    ".repeat(depth + 1);
  const outer = "    ".repeat(depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${pythonValue(item, depth + 1)},\n`).join("");
    return items ? `[\n${items}${outer}]` : "[]";
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${inner}${JSON.stringify(name)}: ${pythonValue(field, depth + 1)},\n`,
    );
    return `{\n${fields.join("")}${outer}}`;
  }
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  return value === null ? "None" : JSON.stringify(value);
}
