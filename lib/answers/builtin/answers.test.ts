import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createExtractModel } from "@/lib/answers/builtin/model";
import type { ChatMessage } from "@/lib/models/schema";
import { termsOf } from "@/lib/text/analyzer";
import { type DelimitedSource, escapeSource } from "@/lib/text/delimiters";

type Text = Omit<DelimitedSource, "number">;

const folder = path.join(import.meta.dirname, "../../../prisma/knowledge");
const articles: Text[] = readdirSync(folder)
  .filter((file) => file.endsWith(".md"))
  .map((file) => {
    const [, front = "", text = ""] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path.join(folder, file), "utf8")) ?? [];
    return { title: /^title: (.*)$/m.exec(front)?.[1] ?? file, text: text.trim() };
  });
const sections: Text[] = articles.flatMap(({ title, text }) =>
  text.split(/\n(?=## )/).map((section) => ({ title, text: section })),
);

/** The texts that retrieval would return: those that share the rarest terms with the query. */
function retriever(texts: readonly Text[]): (query: string, count: number) => DelimitedSource[] {
  const bags = texts.map(({ title, text }) => new Set(termsOf(`${title}\n${text}`)));
  const idf = (term: string): number =>
    Math.log(1 + texts.length / (1 + bags.filter((bag) => bag.has(term)).length));
  return (query, count) => {
    const terms = [...new Set(termsOf(query))].map((term) => [term, idf(term)] as const);
    return texts
      .map((text, at) => {
        const shared = terms.filter(([term]) => bags[at]?.has(term));
        const titled = shared.filter(([term]) => termsOf(text.title).includes(term));
        return { text, score: [...shared, ...titled].reduce((sum, [, weight]) => sum + weight, 0) };
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, count)
      .map(({ text }, at) => ({ ...text, number: at + 1 }));
  };
}

const findArticles = retriever(articles);
const findSections = retriever(sections);

async function answer(sources: readonly DelimitedSource[], question: string): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: question }];
  const completion = await createExtractModel(sources.map(escapeSource)).complete(
    { model: "footnote-extract-1", messages },
    AbortSignal.timeout(10_000),
  );
  return completion.choices[0]?.message.content ?? "";
}

/** At most a pointer follows it. */
const NO_ANSWER =
  /^(?:The sources found do not answer this question\.|The sources are about [^\n]+(?:; your question is about [^\n]+|, and do not answer this question)\.)(?:\n\nClosest passage:\n- [^\n]+ \[\d+\])?$/;

const FACTS: [question: string, fact: RegExp][] = [
  ["What HbA1c level indicates diabetes?", /6\.5%/],
  ["whats the normal hba1c", /below 5\.7%/],
  ["How often should I get an A1c test?", /twice a year/],
  ["Do I need to fast before an HbA1c test?", /no fasting/],
  ["Can iron deficiency affect my A1c result?", /falsely/],
  ["What is asthma?", /^Asthma is a/],
  ["What are the symptoms of asthma?", /wheezing.* cough/s],
  ["How is type 2 diabetes treated?", /Metformin/],
  ["What is the maximum dose of ibuprofen without a prescription?", /1,200 mg/],
  ["How much acetaminophen can I take in a day?", /4,000 mg/],
  ["What is the antidote for acetaminophen overdose?", /Acetylcysteine/],
  ["Can I take ibuprofen while pregnant?", /20 weeks/],
  ["How long does a migraine attack last?", /4 to 72 hours/],
  ["What can trigger a migraine?", /stress/],
  ["What INR range is targeted on warfarin?", /2\.0 to 3\.0/],
  ["Which foods should I watch on warfarin?", /vitamin K/],
  ["My father takes warfarin and hit his head. What should we do?", /hits the head.* emergency/s],
  ["What should I do if someone is choking?", /back blows/],
  ["How do you treat a choking baby?", /infant.*back blows/s],
  ["What are the side effects of statins?", /Muscle/],
  ["Does grapefruit juice interact with statins?", /grapefruit juice raise/],
  ["Who should take a statin?", /190 mg\/dL/],
  ["How does naloxone work?", /antagonist/],
  ["How soon after symptoms must Paxlovid be started?", /within 5 days/],
  ["What eGFR means kidney failure?", /below 15/],
  ["How should levothyroxine be taken?", /empty stomach/],
  ["What's the normal range for TSH?", /0\.4 to 4\.0/],
  ["What are the warning signs of a stroke?", /face droops/],
  ["what is a TIA", /transient ischemic attack \(TIA\)/],
  ["What are symptoms of a heart attack in women?", /Women.*breathless/s],
  ["What is the first-line treatment for anaphylaxis?", /Epinephrine/],
  ["Can people with asthma take beta-blockers?", /bronchospasm/],
  ["How fast does albuterol work?", /minutes/],
  ["Does insulin need to be refrigerated?", /refrigerator/],
  ["What does a high white blood cell count mean?", /infection/],
  ["How is celiac disease diagnosed?", /transglutaminase/],
  ["What blood pressure is considered high?", /130/],
  ["is amoxicillin effective against viruses", /no effect on viruses/],
];

/** Facts still found when retrieval returns sections instead of whole articles. */
const SECTION_FACTS = FACTS.filter(([question]) =>
  /HbA1c level|symptoms of asthma|maximum dose|overdose|migraine|INR|choking|statins|eGFR|TSH|stroke|Epi|celiac/i.test(
    question,
  ),
);

const UNANSWERED = [
  "What is the capital of France?",
  "What are the symptoms of malaria?",
  "How is Parkinson's disease treated?",
  "What are the side effects of prednisone?",
  "What is the treatment of gout?",
  "Can metformin cure migraine?",
  "Can I take lisinopril with grapefruit?",
  "What is the incubation period of measles?",
  "How does Ozempic work?",
  "How do I reset my password?",
  "Who won the 2022 World Cup?",
  "What is a llama?",
];

describe("the answers from the public knowledge base", () => {
  test.each(FACTS)("%s is answered with the fact, from whole articles", async (question, fact) => {
    expect(await answer(findArticles(question, 6), question)).toMatch(fact);
  });

  test.each(SECTION_FACTS)(
    "%s is answered with the fact, from sections",
    async (question, fact) => {
      expect(await answer(findSections(question, 8), question)).toMatch(fact);
    },
  );

  test.each(UNANSWERED)("%s is not answered", async (question) => {
    expect(await answer(findArticles(question, 6), question)).toMatch(NO_ANSWER);
    expect(await answer(findSections(question, 8), question)).toMatch(NO_ANSWER);
  });

  test("doesn't answer a question about one disease with the treatment of another", async () => {
    const sources = findArticles("asthma symptoms and treatment", 20)
      .filter(({ title }) => title === "Asthma" || title.startsWith("Albuterol"))
      .map((source, at) => ({ ...source, number: at + 1 }));
    expect(await answer(sources, "How is Lyme disease treated?")).toMatch(NO_ANSWER);
  });

  test.each(FACTS)("%s is answered by exact quotes with their source numbers", async (question) => {
    const sources = findArticles(question, 6);
    const text = await answer(sources, question);
    const quotes = quotesOf(text);
    expect(quotes.length).toBeGreaterThan(0);
    for (const { quote, number } of quotes) {
      const source = sources.find((one) => one.number === number)?.text.replace(/\s+/g, " ");
      expect(source).toContain(quote);
    }
    expect(new Set(quotes.map(({ quote }) => quote)).size).toBe(quotes.length);
  });

  test.each(FACTS)("%s is answered briefly", async (question) => {
    const text = await answer(findArticles(question, 6), question);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(210);
  });
});

describe("the answer to a question in its context", () => {
  const ask = (question: string) => answer(findArticles(question, 6), question);

  test("refuses a question that depends on earlier turns and was searched alone", async () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "What is asthma?" },
      { role: "user", content: "How is it treated?" },
    ];
    const sources = findArticles("How is it treated?", 6).map(escapeSource);
    const request = { model: "footnote-extract-1", messages };
    const completion = await createExtractModel(sources, { dependsOnConversation: true }).complete(
      request,
      AbortSignal.timeout(10_000),
    );
    expect(completion.choices[0]?.message.content).toMatch(/depends on earlier messages/);
  });

  test("answers the question that was searched, not the last message", async () => {
    const question = "How is asthma treated?";
    const messages: ChatMessage[] = [{ role: "user", content: "How is it treated?" }];
    const sources = findArticles(question, 6).map(escapeSource);
    const completion = await createExtractModel(sources, { question }).complete(
      { model: "footnote-extract-1", messages },
      AbortSignal.timeout(10_000),
    );
    expect(completion.choices[0]?.message.content).toMatch(/[Ii]nhaled corticosteroids/);
  });

  test("finds the subject in the text around the question", async () => {
    const text = await ask(
      "I have type 2 diabetes. My doctor gave me metformin. What side effects should I expect?",
    );
    expect(text).toMatch(/diarrhea/);
  });

  test("compares two subjects", async () => {
    const text = await ask("What is the difference between type 1 and type 2 diabetes?");
    expect(text).toMatch(/Type 1 diabetes is/);
    expect(text).toMatch(/Type 2 diabetes is/);
  });

  test("doesn't compare without a sentence for each side", async () => {
    const text = await ask("What is the difference between metformin XR and long-acting insulin?");
    expect(text).toMatch(/do not answer/);
  });
});

/** An answer's quotes without list markers, each with its source number. */
function quotesOf(text: string): { quote: string; number: number }[] {
  return [...text.matchAll(/(.*?) \[(\d+)\]([.!?…;,]*["'”’)\]]*)/gs)].flatMap(
    ([, before = "", number, end = ""]) => {
      const [quote = "", ...leads] = before.split(/\n+/).filter(Boolean).reverse();
      return [
        ...leads.map((lead) => ({ quote: lead.trim(), number: Number(number) })),
        { quote: `${quote.replace(/^\s*(?:- )?/, "")}${end}`, number: Number(number) },
      ];
    },
  );
}
