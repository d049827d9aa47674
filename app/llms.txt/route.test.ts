import { describe, expect, it } from "vitest";
import { DOC_GROUPS } from "@/components/docs/pages";
import { GET, POST } from "./route";

describe("/llms.txt", () => {
  it("lists every page once with its summary, inline", async () => {
    const response = await GET(new Request("http://localhost/llms.txt"));
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe("inline");
    const text = await response.text();
    expect(text).toMatch(/^# Footnote\n\n> /);
    const lines = [...text.matchAll(/^- \[(.+)\]\(http:\/\/localhost:3000\/\S+\): \S.*\.$/gm)];
    expect(lines.map(([, label]) => label)).toEqual(
      DOC_GROUPS.flatMap(({ pages }) => pages.map(({ label }) => label)),
    );
  });

  it("rejects other methods", async () => {
    expect((await POST(new Request("http://localhost/llms.txt", { method: "POST" }))).status).toBe(
      405,
    );
  });
});
