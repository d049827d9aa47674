import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  resolveCitations,
  type UrlCitation,
  type Verification,
} from "@/lib/answers/citations/schema";
import type { AnswerSource } from "@/lib/answers/citations/verification";
import type { CompletionChunk } from "@/lib/models/schema";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { ChoiceProcessor } from "./choice-processor";
import { ClaimJudge } from "./claim-judge";
import type { Grounded } from "./ground";
import { StreamState } from "./stream-state";

/** A fixed seed, so that CI results only change with the code. */
const SEED = Number(process.env.FOOTNOTE_FUZZ_SEED ?? 20_261_121);
const ANSWERS = 200 * FUZZ_FACTOR;
const SPLITS_EACH = 50;

const PASSAGES = [
  "Asthma is a chronic disease of the airways. It causes wheezing, cough and shortness of breath. Inhaled corticosteroids are the first choice for long-term control.",
  "Adults take 500 mg of amoxicillin 3 times a day for 7 days. Amoxicillin is contraindicated in patients with penicillin allergy. Diarrhoea occurred in 12% of 240 patients.",
  "Warfarin does not need to be stopped before cataract surgery. The target INR is 2.0 to 3.0, e.g. in atrial fibrillation. Blood is tested every 4 weeks.",
  "Metformin lowers blood glucose to below 7.0 mmol/L in most patients. It may cause lactic acidosis in people with kidney disease, though rarely.",
];

const sources = PASSAGES.map((text, index): AnswerSource => {
  const id = index + 1;
  return {
    text,
    charStart: 100 * id,
    citation: {
      ...{ id, scope: "public_kb", chunk_id: `chk_${id}`, document_id: `doc_${id}` },
      ...{ title: `T${id}`, source_type: "article", similarity: 0.9, excerpt: text.slice(0, 40) },
      metadata: { page: id, section: "S" },
    },
  };
});

const claims = fc.constantFrom(
  ...PASSAGES.flatMap((text) => text.split(/(?<=\.) (?=[A-Z])/)).map((text) => text.slice(0, -1)),
  "Asthma never causes wheezing",
  "Adults take 50 mg of amoxicillin 3 times a day",
  "Metformin raises blood glucose (see e.g. fig. 2) to 17.0 mmol/L",
  "Bananas grow in the south of Spain",
  "Das Asthma ist heilbar, z. B. bei Kindern",
  "喘息は気道の慢性の病気である",
  "The dose is 5.5 mmol/L, i.e. low 👩‍⚕️ in U.S. patients",
);
const number = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  fc.integer({ min: 0, max: 120 }),
);
const marker = fc.oneof(
  ...[
    "[#]",
    "【#】",
    "[^#]",
    "[Source #]",
    "([#])",
    "【#†source】",
    "\\[#\\]",
    "[**#**]",
    "[#\u200b]",
    "[#000]",
  ].map((form) => number.map((id) => form.replace("#", String(id)))),
  fc.tuple(number, number).map(([one, other]) => `[${one}, ${other}]`),
  fc.tuple(number, number).map(([one, other]) => `[${one}-${other}]`),
  fc.tuple(number, number).map(([one, other]) => `[${one} ${other}]`),
  fc.tuple(number, number).map(([one, other]) => `[${one}][${other}]`),
);
const sentence = fc.oneof(
  fc.tuple(claims, marker).map(([claim, mark]) => `${claim} ${mark}.`),
  fc.tuple(claims, marker).map(([claim, mark]) => `${claim}.${mark}`),
  fc.tuple(claims, marker).map(([claim, mark]) => `${claim}. ${mark}`),
  fc.tuple(marker, claims).map(([mark, claim]) => `According to ${mark}, ${claim}.`),
  fc.tuple(marker, marker, claims).map(([no, yes, claim]) => `Not ${no} but ${yes}: ${claim}.`),
  fc.tuple(claims, marker, claims).map(([one, mark, other]) => `${one}${mark}, but ${other}.`),
  claims.map((claim) => `${claim}.`),
);
const block = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(" ")),
  },
  fc
    .array(sentence, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one) => `- ${one}`).join("\n")),
  fc
    .tuple(claims, marker)
    .map(([claim, mark]) => `| drug | dose |\n|---|---|\n| ${claim} ${mark} | 5 mg |`),
  claims.map((claim) => `## ${claim}`),
  marker.map((mark) => `\`\`\`js\nconst a = b${mark};\n\`\`\``),
  marker.map((mark) => `Inline \`x${mark}\` and [a link](https://example.org/${mark}).`),
  fc.string({
    unit: fc.constantFrom(..."[](){}【】^1 2,-.!?\n`*|#aA$\\é👩".split("")),
    maxLength: 40,
  }),
);
const answer = fc.array(block, { minLength: 1, maxLength: 5 }).map((blocks) => blocks.join("\n\n"));

interface Answer {
  content: string;
  annotations: UrlCitation[];
  verification: Verification;
  citations: unknown;
}

function optionsOf(asked: object) {
  return resolveCitations({ enabled: true, ...asked });
}

function openChoices(judge: ClaimJudge, asked: object): ChoiceProcessor {
  const grounded: Grounded = {
    request: { model: "m", messages: [] },
    retrieved: {
      options: optionsOf(asked),
      sources,
      passages: [],
      quoteLinkOf: null,
      promptSources: [],
      retrieval: { query: "", method: "last", corrections: [], notices: [] },
      searched: { question: "", dependsOnConversation: false },
      question: "",
    },
    warnings: [],
    leftOut: [],
    isProse: true,
    isAbstaining: false,
  };
  return new ChoiceProcessor(grounded, judge);
}

/** The answer to a plain request. */
async function plain(text: string, judge: ClaimJudge, asked: object): Promise<Answer> {
  const choices = openChoices(judge, asked);
  const cited = choices.begin(0);
  const content = `${await cited?.push(text)}${await cited?.end()}`;
  const { evidence, citations } = await choices.finish();
  const { annotations = [], verification } = evidence.get(0) ?? {};
  return { content, annotations, verification: verification as Verification, citations };
}

function chunkOf(content: string, finish: string | null): CompletionChunk {
  return {
    ...{ id: "up", object: "chat.completion.chunk", created: 1, model: "m" },
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  } as CompletionChunk;
}

/** The answer that a client assembles from a stream. */
async function streamed(pieces: string[], judge: ClaimJudge, asked: object): Promise<Answer> {
  const state = new StreamState("m", openChoices(judge, asked));
  const out: CompletionChunk[] = [];
  for (const piece of pieces) {
    out.push(...(await state.accept(chunkOf(piece, null))));
  }
  out.push(...(await state.accept(chunkOf("", "stop"))), ...(await state.end()));
  out.push(...(await state.finish()));
  const deltas = out.map(({ choices }) => choices[0]?.delta ?? {});
  const last = out.at(-1);
  const { annotations, verification } = (last?.choices[0]?.delta ?? {}) as unknown as Answer;
  const content = deltas.map((delta) => delta.content ?? "").join("");
  return { content, annotations, verification, citations: last?.citations };
}

function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
}

/** Expects every annotation to match its marker in the text, and to cite an existing source. */
function expectValid({ content, annotations, citations }: Answer): void {
  const points = [...content];
  for (const { url_citation: found } of annotations) {
    const shown = points.slice(found.start_index, found.end_index).join("");
    expect([
      `[${found.citation_id}]`,
      `[[${found.citation_id}]](${found.url})`,
      `[^${found.citation_id}]`,
    ]).toContain(shown);
    expect(found.citation_id).toBeGreaterThanOrEqual(1);
    expect(found.citation_id).toBeLessThanOrEqual(sources.length);
    expect(points.slice(found.claim.start_index, found.claim.end_index).join("")).toBe(
      found.claim.text,
    );
    if (found.quote) {
      const cited = (citations as { id: number; chunk_id: string }[]).find(
        ({ id }) => id === found.citation_id,
      );
      const source = sources.find(({ citation }) => citation.chunk_id === cited?.chunk_id);
      const { text = "", charStart = 0 } = source ?? {};
      const { char_start: start, char_end: end } = found.quote;
      expect(text.slice(start - charStart, end - charStart)).toBe(found.quote.text);
    }
  }
}

/** Expects no marker without a source outside of code, links and definitions, which are left unchanged. */
function expectNoForeignNumber({ content }: Answer): void {
  const prose = content
    .replace(/```[\s\S]*?(?:```|$)/g, "")
    .replace(/`[^`\n]*`/g, "")
    .replace(/\[[^\]\n]*\]\([^)\n]*\)/g, "");
  for (const [, id] of prose.matchAll(/(?<=[\p{L}.,] ?)\[(\d{1,3})\](?![([:])/gu)) {
    expect(Number(id)).toBeLessThanOrEqual(sources.length);
  }
}

const answers = fc.sample(answer, { numRuns: ANSWERS, seed: SEED });

describe.each([
  ["kept", {}],
  ["stripped when unsupported", { on_unsupported: "strip" }],
  ["as links", { render: "links" }],
  ["as footnotes numbered by appearance", { render: "footnotes", numbering: "appearance" }],
  ["stripped, and numbered by appearance", { on_unsupported: "strip", numbering: "appearance" }],
])(`${ANSWERS} answers in ${ANSWERS * SPLITS_EACH} splits, with markers %s`, (_, asked) => {
  it(
    "are the same streamed as in one piece, and only cite existing sources",
    async () => {
      for (const [index, text] of answers.entries()) {
        const judge = new ClaimJudge(sources, { verifier: null }, AbortSignal.timeout(60_000));
        const whole = await plain(text, judge, asked);
        expectValid(whole);
        const places = fc.sample(fc.array(fc.nat(), { maxLength: 40 }), {
          numRuns: SPLITS_EACH,
          seed: SEED + index,
        });
        for (const split of places) {
          expect(await streamed(cut(text, split), judge, asked)).toEqual(whole);
        }
      }
    },
    120_000 * FUZZ_FACTOR,
  );
});

describe("normalized prose", () => {
  it("has no marker without a source", async () => {
    const prose = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((all) => all.join(" "));
    for (const text of fc.sample(prose, { numRuns: 500, seed: SEED })) {
      const judge = new ClaimJudge(sources, { verifier: null }, AbortSignal.timeout(60_000));
      expectNoForeignNumber(await plain(text, judge, {}));
    }
  });

  it("has no contradicted or unrelated marker after stripping", async () => {
    for (const text of answers) {
      const judge = new ClaimJudge(sources, { verifier: null }, AbortSignal.timeout(60_000));
      const { verification, annotations } = await plain(text, judge, { on_unsupported: "strip" });
      expect(verification.stripped).toHaveLength(verification.stripped_markers);
      const kept = annotations.flatMap(({ url_citation }) => url_citation.verification ?? []);
      const isUnrelated = kept.map(
        ({ verdict, score }) => verdict === "unsupported" && score < 0.15,
      );
      expect(isUnrelated).not.toContain(true);
      expect(kept.map(({ verdict }) => verdict)).not.toContain("contradicted");
    }
  });
});
