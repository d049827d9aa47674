import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { type ChatMessage, textOf } from "@/lib/models/schema";
import type { Row } from "./part";
import { withCorpus, withServer } from "./server";

/** A conversation whose last question is about the subject of an earlier one. */
interface Conversation {
  id: string;
  messages: ChatMessage[];
  /** The last question with its subject. */
  full: string;
}

interface Entry {
  id: string;
  title: string;
  focus: string;
  qtype: string;
  text: string;
}

/** What people ask next, with the subject left out. */
const FOLLOW_UPS: Record<string, readonly string[]> = {
  treatment: [
    "How is it treated?",
    "And the treatments?",
    "What about treatment?",
    "what are the treatment options",
    "How do doctors treat it?",
  ],
  symptoms: [
    "What are its symptoms?",
    "And the symptoms?",
    "What symptoms does it cause?",
    "symptoms?",
    "What about the signs and symptoms?",
  ],
  causes: ["What causes it?", "And the causes?", "Why does it happen?", "what about the cause?"],
  inheritance: [
    "Is it inherited?",
    "Is this inherited?",
    "And is it inherited?",
    "how is that inherited",
  ],
  frequency: [
    "How many people are affected by it?",
    "How common is it?",
    "And how common is that?",
  ],
  "genetic changes": [
    "What are the genetic changes related to it?",
    "And the genetic changes?",
    "Which genetic changes cause it?",
  ],
  "exams and tests": [
    "How is it diagnosed?",
    "And how do they diagnose it?",
    "What about diagnosis?",
  ],
  outlook: ["What is the outlook?", "What is the outlook for people with it?", "And the outlook?"],
  susceptibility: ["Who is at risk?", "Who is at risk for it?"],
  prevention: ["How can it be prevented?", "And prevention?", "how do I prevent that?"],
  research: ["What research is being done for it?", "What about research?"],
  complications: ["What are the complications?", "And its complications?"],
};

/** Ask more of the same question, which stays the right one. */
const MORE = ["Why?", "And in children?", "What about during pregnancy?"];
/** One in this many entries. */
const SAMPLE = 11;

/** Conversations of two and three turns from MedQuAD, one half by id for tuning; empty without the data. */
function readConversations(folder: string, half: "tuning" | "report"): Conversation[] {
  const file = path.join(folder, "medquad/corpus.jsonl.gz");
  if (!existsSync(file)) {
    return [];
  }
  const entries = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);
  const byFocus = Map.groupBy(entries, ({ focus }) => focus);
  const byType = Map.groupBy(entries, ({ qtype }) => qtype);
  return entries.flatMap((entry) => {
    const number = hashOf(entry.id);
    const isHalf = (number % 2 === 0) === (half === "tuning");
    const others = (byFocus.get(entry.focus) ?? []).filter(({ qtype }) => qtype !== entry.qtype);
    const isChosen = number % SAMPLE === 0 && entry.focus !== "" && others.length > 0 && isHalf;
    const neighbors = byType.get(entry.qtype) ?? [];
    return isChosen && FOLLOW_UPS[entry.qtype]
      ? [converse(entry, { others, neighbors, number })]
      : [];
  });
}

function converse(
  entry: Entry,
  { others, neighbors, number }: { others: Entry[]; neighbors: Entry[]; number: number },
): Conversation {
  const choose = <T>(from: readonly T[], salt: number) =>
    from[Math.floor(number / salt) % from.length] as T;
  const first = choose(others, 7);
  const followUp = choose(FOLLOW_UPS[entry.qtype] ?? [], 13);
  const form = Math.floor(number / 17) % 10;
  const { id } = entry;
  const full = questionOf(entry);
  if (form === 0) {
    // The same question about something else.
    const other = choose(neighbors, 19);
    return { id, full, messages: turns([other, `What about ${entry.focus}?`]) };
  }
  if (form === 1) {
    const more = choose(MORE, 19);
    return { id, full: `${full} ${more}`, messages: turns([entry, more]) };
  }
  if (form < 5 && others.length > 1) {
    const second = choose(
      others.filter((one) => one !== first),
      23,
    );
    const between = choose(FOLLOW_UPS[second.qtype] ?? ["Thanks!"], 29);
    return { id, full, messages: turns([first, between, followUp]) };
  }
  return { id, full, messages: turns([first, followUp]) };
}

/** The turns of the user, with the start of an answer after each but the last. */
function turns(said: readonly (Entry | string)[]): ChatMessage[] {
  return said.flatMap((turn, index): ChatMessage[] => {
    const content = typeof turn === "string" ? turn : questionOf(turn);
    const answer = typeof turn === "string" ? "Here is more." : turn.text.slice(0, 300);
    const isLast = index === said.length - 1;
    return [
      { role: "user", content },
      ...(isLast ? [] : [{ role: "assistant" as const, content: `${answer} [1]` }]),
    ];
  });
}

function questionOf({ title }: Entry): string {
  return title.replace(" (are)", "").replace(/ \?+( \?)?$/, "?");
}

function hashOf(id: string): number {
  return createHash("sha1").update(id).digest().readUInt32BE(0);
}

const FIRST = 8;

/** Whether the right document is among the first 8 of a search, by the full question and by the conversation. */
export async function measureConversations(folder: string): Promise<Row[]> {
  const half = process.env.FOOTNOTE_BENCH_SPLIT === "train" ? "tuning" : "report";
  const conversations = readConversations(folder, half);
  if (conversations.length === 0) {
    return [];
  }
  return withCorpus(path.join(folder, "medquad/corpus.jsonl.gz"), (env) =>
    withServer(env, (post) =>
      compareQueries(conversations, async (query) => {
        const { data } = (await post("/v1/kb/search", {
          query,
          sources: ["public_kb"],
          top_k: FIRST,
        })) as { data: { metadata: { id?: string } }[] };
        return data.map(({ metadata }) => metadata.id);
      }),
    ),
  );
}

/** `search` returns the ids of documents, best first. */
async function compareQueries(
  conversations: readonly Conversation[],
  search: (query: string) => Promise<(string | undefined)[]>,
): Promise<Row[]> {
  const { toStandaloneQuery } = await import("@/lib/answers/chat/standalone-query");
  const found = { full: 0, conversation: 0, last: 0 };
  let unchanged = 0;
  for (const [index, { id, full, messages }] of conversations.entries()) {
    const finds = async (query: string) => (await search(query)).includes(id);
    if (await finds(full)) {
      found.full += 1;
      found.conversation += Number(await finds(toStandaloneQuery(messages).text));
      found.last += Number(await finds(textOf(messages.at(-1)?.content)));
    }
    // After another conversation, the full question begins a new subject.
    const before = conversations.at(index - 1)?.messages ?? [];
    const { text } = toStandaloneQuery([...before, { role: "user", content: full }]);
    unchanged += Number(text === full);
  }
  const set = "MedQuAD conversations";
  return [
    { set, measure: "conversations", value: conversations.length },
    {
      set,
      measure: "full question finds its document in the first 8",
      value: found.full / conversations.length,
    },
    {
      set,
      measure: "of these: the query made from the conversation",
      value: found.conversation / found.full,
      goal: "≥ 0.90",
    },
    { set, measure: "of these: the last message alone", value: found.last / found.full },
    {
      set,
      measure: "full questions left unchanged",
      value: unchanged / conversations.length,
      goal: "1",
    },
  ];
}
