import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

/** What a key finds, and what the built-in model answers. */
async function ask(text: string) {
  const { key } = await makeKeyedAccount();
  const found = await call("POST", "/v1/kb/search", { key, body: { query: text } });
  const answered = await call("POST", "/v1/chat/completions", {
    key,
    body: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: text }],
      citations: { enabled: true },
    },
  });
  return { found, answered, content: answered.json.choices?.[0].message.content };
}

function titlesOf(found: Awaited<ReturnType<typeof call>>): string[] {
  return found.json.data.map(({ title }: { title: string }) => title);
}

describe("an odd question", () => {
  it.each([
    ["with invisible characters", "What are the sympt\u00adoms of ast\u200bhma\u2060?"],
    ["in full-width letters", "Ｗｈａｔ ａｒｅ ｔｈｅ ｓｙｍｐｔｏｍｓ ｏｆ ａｓｔｈｍａ?"],
    ["in quotation marks", '"What are the symptoms of asthma?"'],
    ["in capitals", "WHAT ARE THE SYMPTOMS OF ASTHMA"],
  ])("%s is answered", async (_, text) => {
    const { found, content } = await ask(text);
    expect(titlesOf(found)[0]).toBe("Asthma");
    expect(content).toMatch(/wheezing[\s\S]*\[\d+\]/);
  });

  it.each(["Hello!", "what is 2+2", "Tell me a joke."])(
    "that no source can answer isn't answered: %s",
    async (text) => {
      const { content } = await ask(text);
      expect(content).toMatch(
        /^(The sources found do not|I can't tell whether the sources) answer/,
      );
    },
  );

  it("with half a character is answered in JSON that every parser takes", async () => {
    const { answered } = await ask("\ud800 What are the symptoms of asthma?");
    expect(answered.json.citations.length).toBeGreaterThan(0);
    expect(answered.json.retrieval.query).toBe("\ufffd What are the symptoms of asthma?");
  });

  it("in several scripts is searched by the words that are there", async () => {
    const { found, answered } = await ask("asthma symptoms 哮喘 συμπτώματα أعراض");
    expect(titlesOf(found)).toContain("Asthma");
    expect(answered.status).toBe(200);
  });

  it.each([
    ["of stop words only", "what is the of and"],
    ["of punctuation only", "?!… — ,;"],
    ["of emoji only", "🤒🤒🤒"],
    ["of words that nobody has", "qqzzx vvkkj"],
  ])("%s finds nothing, and the answer says so", async (_, text) => {
    const { found, answered, content } = await ask(text);
    expect([found.status, found.json.data]).toEqual([200, []]);
    expect([answered.status, content]).toEqual([
      200,
      "The sources found do not answer this question.",
    ]);
  });

  it.each([
    [
      "Quais são os sintomas da enxaqueca?",
      "As fontes estão em inglês. Faça a pergunta nessa língua.",
    ],
    ["喘息の症状は何ですか", "The sources are in English; your question is in another language."],
  ])(
    "in a language no document is in gets a list of the documents' languages: %s",
    async (text, reply) => {
      const { found, content } = await ask(text);
      expect(found.json.data).toEqual([]);
      expect(content).toBe(reply);
    },
  );

  it.each([
    ["of 10,000 words", "heart ".repeat(10_000), "longer than 8192 tokens"],
    ["of blanks alone", "   ", "a user message with text"],
  ])("%s is refused by the search and answered with a warning", async (_what, text, reason) => {
    const { found, answered, content } = await ask(text);
    expect([found.status, found.json.error.param]).toEqual([400, "query"]);
    expect(answered.status).toBe(200);
    expect(answered.json.warnings).toMatchObject([
      { code: "invalid_request", message: expect.stringContaining(reason) },
    ]);
    expect(content).toContain("the search for this request failed");
  });

  it("keeps a misspelled word in quotation marks as it is", async () => {
    const quoted = await ask('symptoms of "asthmma"');
    const plain = await ask("symptoms of asthmma");
    expect(quoted.found.json.retrieval.corrections).toEqual([]);
    expect(plain.found.json.retrieval.corrections).toEqual([{ from: "asthmma", to: "asthma" }]);
    expect(plain.content).toMatch(/wheezing/);
  });
});
