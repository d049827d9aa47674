import "server-only";

import { type ChatCompletion, ChatRequest } from "@/lib/answers/chat/schema";
import { createCompletion } from "@/lib/answers/chat/write/complete";
import { listKeyModels } from "@/lib/models/catalogue";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { Reply } from "@/lib/platform/http/route";

/** An answer from the knowledge bases alone, as `POST /v1/chat/completions` gives and charges it. Throws as that does. */
export async function askQuestion(
  ctx: KeyContext,
  input: { question: string; model?: string | undefined },
): Promise<CitedText> {
  const body = ChatRequest.parse({
    model: input.model ?? listKeyModels(ctx).data[0]?.id,
    messages: [{ role: "user", content: input.question }],
    citations: { enabled: true, required: true, on_empty: "say_so" },
  });
  // Without `stream`, the answer comes whole.
  const { value } = (await createCompletion(ctx, body)) as Reply;
  const { choices, ...completion } = value as ChatCompletion;
  const message = choices[0]?.message;
  return toCitedText({ ...completion, ...message, text: message?.content ?? "" });
}

type Message = ChatCompletion["choices"][number]["message"];
type Checked = Pick<Message, "annotations" | "verification"> &
  Pick<ChatCompletion, "warnings"> & { text: string; usage: { cost_usd: string } };

/** What a tool returns for an answer or a checked text: the parts that a model needs. */
export function toCitedText({ text, annotations = [], verification, warnings, usage }: Checked) {
  const { claims = [], stripped: _stripped, disagreements: _all, ...counts } = verification ?? {};
  return {
    text,
    claims: claims.map(({ text: claim, verdict, reason, citation_ids }) => ({
      ...{ claim, verdict, reason, citation_ids },
    })),
    citations: annotations.map(({ url_citation: { citation_id, claim, quote, ...each } }) => ({
      ...{ id: citation_id, title: each.title, url: each.url, claim: claim.text },
      verdict: each.verification?.verdict ?? null,
      quote: quote?.text ?? null,
      page: quote?.page ?? null,
      permalink: quote?.permalink ?? null,
    })),
    verification: counts,
    ...(warnings && { warnings }),
    cost_usd: usage.cost_usd,
  };
}

/** `not_found`: sentences for which a search found nothing. */
export type CitedText = ReturnType<typeof toCitedText> & { not_found?: string[] };

/** The text with its verdicts and quotes below it, for clients that show a model nothing but text. */
export function formatCitedText({ text, claims, citations, not_found = [] }: CitedText): string {
  const verdicts = claims.map(({ claim, verdict, reason, citation_ids: ids }) => {
    const why = reason ? ` (${reason})` : "";
    return `${verdict}${why}: ${claim} ${ids.map((id) => `[${id}]`).join("")}`;
  });
  const unfound = not_found.map((sentence) => `not found: ${sentence}`);
  const sources = citations.map(
    ({ id, title, url, quote }) => `[${id}] ${title}, ${url}${quote ? `: "${quote}"` : ""}`,
  );
  const parts = [[text], [...verdicts, ...unfound], [...new Set(sources)]];
  return parts.flatMap((lines) => lines.join("\n") || []).join("\n\n");
}
