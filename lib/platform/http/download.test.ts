import { describe, expect, it } from "vitest";
import { attachment, Download } from "./download";
import { publicGate, route } from "./route";

function answer(chunks: () => AsyncGenerator<string>): Promise<Response> {
  const file = { name: "figures.csv", mediaType: "text/csv" };
  const GET = route({ gate: publicGate, handle: async () => new Download(chunks(), file) });
  return GET(new Request("http://localhost:3000/api/figures"));
}

describe("a download", () => {
  it("streams its source as an attachment with a file name", async () => {
    const response = await answer(async function* () {
      yield "a,";
      yield "ä\r\n";
    });
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="figures.csv"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await response.text()).toBe("a,ä\r\n");
  });

  it("aborts when its source fails, so that a partial file never looks complete", async () => {
    const response = await answer(async function* () {
      yield "a,";
      throw new Error("the database is away");
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("closes its source when the client cancels", async () => {
    let isEnded = false;
    const response = await answer(async function* () {
      try {
        for (;;) {
          yield "more,";
        }
      } finally {
        isEnded = true;
      }
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(isEnded).toBe(true);
  });
});

describe("attachment", () => {
  it.each([
    ["report 1.pdf", 'attachment; filename="report 1.pdf"'],
    ["Ärzte.pdf", `attachment; filename="_rzte.pdf"; filename*=UTF-8''%C3%84rzte.pdf`],
    ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
    [
      "fdp.\u202Eexe\r\nset-cookie: a",
      `attachment; filename="fdp._exe__set-cookie_ a"; filename*=UTF-8''fdp._exe__set-cookie%3A%20a`,
    ],
  ])("names %j safely", (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
