import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** A claim and an abstract, labeled by experts. */
export interface Pair {
  id: string;
  claim: string;
  passage: string;
  /** Of the abstract. The judge gets it, as it does in the product. */
  title: string;
  label: "support" | "contradict" | "none";
  /** Offsets of the annotated sentences. */
  evidence: { start: number; end: number }[];
  half: Half;
}

/** Rules are tuned on one half of the claims and reported on the other, held-out half. */
export type Half = "tuned" | "reported";

export function readPairs(folder: string): Pair[] {
  const titles = new Map(
    readLines(path.join(folder, "scifact/corpus.jsonl.gz"))
      .map((line) => JSON.parse(line) as { id: string; title: string })
      .map(({ id, title }) => [id, title] as const),
  );
  const pairs = readLines(path.join(folder, "scifact/evidence-train.jsonl.gz")).map((line) => {
    const row = JSON.parse(line) as {
      claim_id: string;
      doc_id: string;
      claim: string;
      label: Pair["label"];
      evidence: number[];
      sentences: string[];
    };
    const { passage, places } = join(row.sentences);
    return {
      id: `${row.claim_id} ${row.doc_id}`,
      claim: row.claim,
      passage,
      title: titles.get(row.doc_id) ?? "",
      label: row.label,
      evidence: row.evidence.flatMap((at) => places[at] ?? []),
      half: halfOf(row.claim_id),
    };
  });
  // Each set of sentences that supports the label alone is a separate item.
  const named = new Map<string, Pair["evidence"]>();
  for (const { id, evidence } of pairs) {
    named.set(id, [...(named.get(id) ?? []), ...evidence]);
  }
  return pairs.map((pair) => ({ ...pair, evidence: named.get(pair.id) ?? [] }));
}

/** The texts of SciFact's abstracts. */
export function readAbstracts(folder: string): string[] {
  return readLines(path.join(folder, "scifact/corpus.jsonl.gz")).map(
    (line) => (JSON.parse(line) as { text: string }).text,
  );
}

export interface TitledText {
  title: string;
  text: string;
}

/** SciFact's abstracts and MedQuAD's answers, with their titles. */
export function readTexts(folder: string): TitledText[] {
  return ["scifact/corpus.jsonl.gz", "medquad/corpus.jsonl.gz"].flatMap((file) =>
    readLines(path.join(folder, file)).map((line) => JSON.parse(line) as TitledText),
  );
}

function readLines(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString("utf8").trim().split("\n");
}

function join(sentences: readonly string[]) {
  let passage = "";
  const places = sentences.map((sentence) => {
    const start = passage.length === 0 ? 0 : passage.length + 1;
    passage += passage.length === 0 ? sentence : ` ${sentence}`;
    return { start, end: passage.length };
  });
  return { passage, places };
}

function halfOf(claimId: string): Half {
  const [byte = 0] = createHash("sha256").update(`claim ${claimId}`).digest();
  return byte % 2 === 0 ? "tuned" : "reported";
}
