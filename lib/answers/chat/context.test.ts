import { describe, expect, it } from "vitest";
import type { Citation, UrlCitation } from "@/lib/answers/citations/schema";
import { addDocument, longText } from "@/lib/testing/add-document";
import { openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const TEXT = longText([
  "Aspirin is stored on the first shelf.",
  "Codeine is locked away.",
  "Digoxin is stored on the fourth shelf.",
]);
const CLAIM = "Digoxin is stored on the fourth shelf";

/** As JSON escapes, so that the search doesn't find the answer's words in the question. */
const escaped = [...`${CLAIM} [1].`]
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
  .join("");

interface Message {
  annotations: UrlCitation[];
}

interface Answer {
  choices: { message?: Message; delta?: Message }[];
  citations: Citation[];
}

async function ask(
  context: "passage" | "section",
  stream: boolean,
  excerpts: "short" | "full" = "short",
) {
  const { id, key } = await makeKeyedAccount();
  await addDocument(id, { title: "Store", text: TEXT });
  const stranger = await makeKeyedAccount();
  await addDocument(stranger.id, { title: "Store", text: TEXT.replaceAll("visit", "stranger") });
  const body = {
    model: "scripted",
    messages: [
      {
        role: "user" as const,
        content: `Where is codeine locked away? needle-${id} script:{"text":"${escaped}"}`,
      },
    ],
    citations: {
      ...{ enabled: true, sources: ["customer_kb"], top_k: 1, min_score: 0 },
      ...{ context, excerpts },
    },
  };
  const { completions } = openai(key).chat;
  const answer = stream
    ? await lastOf(await completions.create({ ...body, stream }))
    : await completions.create(body);
  const { choices, citations } = answer as unknown as Answer;
  const seen = upstream().seen.findLast(({ body }) =>
    JSON.stringify(body).includes(`needle-${id}`),
  );
  const message = choices[0]?.message ?? choices[0]?.delta;
  return {
    prompt: seen?.body.messages.at(-1)?.content ?? "",
    citation: citations[0],
    cited: message?.annotations[0]?.url_citation,
  };
}

/** The chunk that ends a choice. */
async function lastOf(chunks: AsyncIterable<{ choices: { finish_reason: string | null }[] }>) {
  for await (const chunk of chunks) {
    if (chunk.choices[0]?.finish_reason) {
      return chunk;
    }
  }
  throw new Error("the stream did not finish");
}

describe.each([["plain", false] as const, ["streamed", true] as const])(
  "a %s answer",
  (_, stream) => {
    it("is written and judged with the passages alone by default", async () => {
      const { prompt, cited } = await ask("passage", stream);
      expect(prompt).not.toContain(CLAIM);
      expect(cited).toMatchObject({ verification: { verdict: "unsupported" }, quote: null });
    });

    it("is written and judged with their sections on request, and cites the passage", async () => {
      const { prompt, citation, cited } = await ask("section", stream);
      expect(prompt).toContain(CLAIM);
      expect(prompt).not.toContain("stranger");
      expect(citation?.excerpt).toMatch(/^Codeine/);
      expect(cited?.verification?.verdict).toBe("supported");
      const { text, char_start, char_end } = cited?.quote ?? {};
      expect(TEXT.slice(char_start, char_end)).toBe(text);
      expect(text).toContain(CLAIM);
    });

    it("returns on request all that the model was given of a source", async () => {
      const passage = await ask("passage", stream, "full");
      expect(passage.citation?.excerpt.length).toBeGreaterThan(300);
      expect(passage.prompt).toContain(passage.citation?.excerpt);
      const section = await ask("section", stream, "full");
      expect(section.citation?.excerpt).toContain(CLAIM);
      expect(section.prompt).toContain(section.citation?.excerpt);
    });
  },
);
