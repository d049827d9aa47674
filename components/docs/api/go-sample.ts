import type { SampleRequest } from "./sample-request";

const FAIL = "if err != nil {\n\t\tpanic(err)\n\t}";

/** The request as a Go program. */
export function toGo(request: SampleRequest): string {
  const { method, address, text, form } = request;
  const body = text === null ? (form ? "&form" : "nil") : "strings.NewReader(body)";
  return `package main

import (
${importsOf(request)}
)

func main() {
${text === null ? "" : `\tbody := \`${text}\`\n`}${form ? writeForm(form) : ""}\trequest, err := http.NewRequest("${method}", ${toAddress(address)}, ${body})
\t${FAIL}
${headersOf(request)}
\tresponse, err := http.DefaultClient.Do(request)
\t${FAIL}
\tdefer response.Body.Close()
\tanswer, err := io.ReadAll(response.Body)
\t${FAIL}
\tfmt.Println(response.Status, string(answer))
}`;
}

function importsOf({ text, form }: SampleRequest): string {
  return ["fmt", "io", "net/http", "os"]
    .concat(text === null ? [] : "strings", form ? ["bytes", "mime/multipart"] : [])
    .toSorted()
    .map((name) => `\t"${name}"`)
    .join("\n");
}

function headersOf({ type, form, idempotencyKey }: SampleRequest): string {
  const headers = {
    Authorization: `"Bearer "+os.Getenv("FOOTNOTE_API_KEY")`,
    ...(idempotencyKey && { "Idempotency-Key": `"${idempotencyKey}"` }),
    ...(type && { "Content-Type": `"${type}"` }),
    ...(form && { "Content-Type": "writer.FormDataContentType()" }),
  };
  return Object.entries(headers)
    .map(([name, value]) => `\trequest.Header.Set("${name}", ${value})`)
    .join("\n");
}

/** Ids come from the environment. */
function toAddress(address: string): string {
  return address
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? JSON.stringify(part) : `os.Getenv("${part.toUpperCase()}")`,
    )
    .filter((part) => part !== '""')
    .join("+");
}

function writeForm(form: readonly string[]): string {
  const steps = form.map((field) => {
    const [name = "", value = ""] = field.split("=");
    return value.startsWith("@")
      ? writeFile(name, value.slice(1))
      : `\twriter.WriteField("${name}", "${value}")`;
  });
  return `\tvar form bytes.Buffer
\twriter := multipart.NewWriter(&form)
${steps.join("\n")}
\twriter.Close()
`;
}

function writeFile(name: string, file: string): string {
  return `\tfile, err := os.Open("${file}")
\t${FAIL}
\tdefer file.Close()
\tpart, err := writer.CreateFormFile("${name}", "${file}")
\t${FAIL}
\tif _, err := io.Copy(part, file); err != nil {
\t\tpanic(err)
\t}`;
}
