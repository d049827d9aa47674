import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { formatLimit } from "@/components/docs/api/json-schema";
import { MARKDOWN_PAGES } from "@/components/docs/pages";
import { ERROR_KINDS } from "@/lib/errors";
import { EnvSchema } from "@/lib/platform/env";
import openapi from "@/public/openapi.json";
import {
  errorTable,
  tablesOfRegion,
  withDefaults,
  withLimits,
  withRegion,
} from "@/tests/generated-docs";
import { GET } from "./route";

const read = (file: string) => readFile(file, "utf8");
/** Checks a page against its generated content; `vitest -u` writes it. */
const expectPage = (text: string, slug: string) =>
  expect(text).toMatchFileSnapshot(`../../../../../docs/${slug}.md`);

const get = (slug: string) =>
  GET(new Request(`http://localhost/docs/${slug}.md`), { params: Promise.resolve({ slug }) });

const {
  paths,
  components: { schemas },
} = openapi;
const chat = schemas.ChatCompletionRequest.properties;
const citations = schemas.CitationsRequest.properties;
const search = schemas.SearchRequest.properties;
const checkout = schemas.CreateCheckout.properties;

const LIMITS: Record<string, unknown> = {
  "`messages` of a chat completion": chat.messages,
  "`citations.top_k`": citations.top_k,
  "`citations.min_score`": citations.min_score,
  "`citations.source_types`": citations.source_types,
  "`metadata` of a chat completion": schemas.Metadata,
  "`n`": chat.n,
  "`stop`": chat.stop,
  "`top_k` of a search": search.top_k,
  "`wait` of a job, in seconds": paths["/v1/kb/jobs/{job_id}"].get.parameters.find(
    ({ name }) => name === "wait",
  )?.schema,
  "`limit` of a list of documents": paths["/v1/kb/documents"].get.parameters.find(
    ({ name }) => name === "limit",
  )?.schema,
  "`amount` of a checkout, in cents": checkout.amount,
};

describe("the documentation", () => {
  it("has a section for each error code and no others", async () => {
    const text = await read("docs/errors.md");
    const sections = [...text.matchAll(/^## ([a-z_]+)$/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual(Object.keys(ERROR_KINDS).sort());
  });

  it("lists the error codes with the status and type of their table", async () => {
    const text = await read("docs/errors.md");
    await expectPage(withRegion(text, errorTable(ERROR_KINDS)), "errors");
  });

  it("shows the client support table as measured by the client tests", async () => {
    const text = await read("docs/clients.md");
    const tables = tablesOfRegion(await read("e2e/clients/README.md"));
    await expectPage(withRegion(text, tables), "clients");
  });

  it("documents every variable once, with its default", async () => {
    const text = await read("docs/self-hosting.md");
    const cells = [...text.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].map(([, cell]) => cell ?? "");
    const listed = cells.flatMap((cell) =>
      [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
    );
    expect(listed.sort()).toEqual(Object.keys(EnvSchema.shape).sort());
    await expectPage(withDefaults(text, EnvSchema.parse({})), "self-hosting");
  });

  it("states the limits of the API's schemas and the variables' defaults", async () => {
    const limits = Object.fromEntries(
      Object.entries(LIMITS).map(([name, schema]) => [name, formatLimit(schema ?? {})]),
    );
    const text = await read("docs/limits.md");
    const rows = Object.keys(limits).filter((name) => !text.includes(`| ${name} |`));
    expect({ rows, empty: Object.values(limits).filter((words) => !words) }).toEqual({
      rows: [],
      empty: [],
    });
    await expectPage(withLimits(withDefaults(text, EnvSchema.parse({})), limits), "limits");
  });

  it("is served inline as Markdown that links to Markdown", async () => {
    for (const { slug } of MARKDOWN_PAGES) {
      const response = await get(slug);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(response.headers.get("content-disposition")).toBe("inline");
      const text = await response.text();
      expect(text).toMatch(/^# /);
      expect(text).not.toMatch(/\]\((?!https?:\/\/|#)/);
    }
  });

  it("answers 404 in the error format for an unknown page", async () => {
    for (const slug of ["none", "api", "../README", "constructor"]) {
      const response = await get(slug);
      expect(response.status).toBe(404);
      await expect(response.json()).resolves.toMatchObject({ error: { code: "not_found" } });
    }
  });
});
