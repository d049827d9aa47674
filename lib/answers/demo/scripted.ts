import { immediateModel } from "@/lib/answers/builtin/model";
import { toUsage } from "@/lib/models/message-tokens";
import type { ChatModel } from "@/lib/models/schema";

/** What the script claims, and words of the passage that it cites for it. The first one is wrong: the passage says 4,000 mg. */
const CLAIMS = [
  {
    text: "The maximum total dose of acetaminophen for healthy adults is 6,000 mg in 24 hours",
    passage: "maximum total dose of acetaminophen for healthy adults",
  },
  {
    text: "Some nonprescription labels set a lower daily limit of 3,000 mg",
    passage: "maximum total dose of acetaminophen for healthy adults",
  },
  {
    text: "Liver damage is the main harm of too much acetaminophen",
    passage: "Liver damage is the main harm",
  },
];

/** The script's answer, citing sources by their numbers; null if one of them isn't there. */
export function scriptedAnswer(sources: readonly { text: string }[]): string | null {
  const sentences = CLAIMS.map(({ text, passage }) => {
    const at = sources.findIndex((source) => source.text.includes(passage));
    return at < 0 ? null : `${text} [${at + 1}].`;
  });
  return sentences.includes(null) ? null : sentences.join(" ");
}

/** A model that gives this answer to anything. */
export function scriptedModel(answer: string): ChatModel {
  return immediateModel(() => ({
    message: { content: answer, refusal: null },
    pieces: [answer],
    finishReason: "stop",
    count: 1,
    usage: toUsage(0, 0),
  }));
}
