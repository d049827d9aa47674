import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Collection, PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import type { KeyContext } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import { search } from "./search";

let ctx: KeyContext;
let own: Collection;

async function makeCollection(): Promise<{ ctx: KeyContext; collection: Collection }> {
  const account = await makeAccount();
  const id = `customer_kb:${account.id}`;
  return {
    ctx: keyContext(account.ctx, {}),
    collection: { id, scope: "customer_kb", accountId: account.id, personId: null },
  };
}

beforeAll(async () => {
  const made = await makeCollection();
  ctx = made.ctx;
  own = made.collection;
  await indexText(own, "Glibberexol lowers pressure. Take one tablet of glibberexol daily.");
  await indexText(own, "Tablets are stored in a cupboard.");
});

function find(query: string, collections: Collection[] = [own], minScore = 0) {
  const options = { topK: 8, minScore };
  return search(ctx, { query, collections, ...options });
}

describe("a misspelled word", () => {
  it.each(["glibberexlo", "Glibberxol", "gliberexoll", "glibb\u200berexolt"])(
    "is searched as a word of the collection: %s",
    async (word) => {
      const { passages, corrections } = await find(`${word} dosage`, [own], 0.3);
      expect(corrections).toEqual([{ from: word, to: "glibberexol" }]);
      expect(passages[0]?.text).toContain("Glibberexol");
    },
  );

  it("is read as a question word that no index has", async () => {
    const [wrong, right] = [
      await find("who shoud take tablets"),
      await find("who should take tablets"),
    ];
    expect(wrong.corrections).toEqual([{ from: "shoud", to: "should" }]);
    expect(wrong.passages).toEqual(right.passages);
    const both = await find("wich glibberexlo");
    expect(both.corrections).toEqual([
      { from: "wich", to: "which" },
      { from: "glibberexlo", to: "glibberexol" },
    ]);
  });

  it("scores as if it were spelled correctly", async () => {
    const [wrong, right] = [await find("glibberexlo tablet"), await find("glibberexol tablet")];
    expect(right.corrections).toEqual([]);
    const scoresOf = ({ passages }: typeof wrong) => passages.map(({ similarity }) => similarity);
    expect(scoresOf(wrong)).toEqual(scoresOf(right));
  });

  it.each(['"glibberexlo" tablet', "GLIBBERexlo tablet", "glibberexlo2 tablet"])(
    "stays in quotes and identifiers: %s",
    async (query) => {
      const { passages, corrections } = await find(query);
      expect(corrections).toEqual([]);
      expect(passages.length).toBeGreaterThan(0);
    },
  );

  it("is never corrected to a word of another account", async () => {
    const other = await makeCollection();
    await indexText(other.collection, "Zyxxoprilate is new.");
    expect((await find("zyxxoprilatte", [own, PUBLIC_COLLECTION])).corrections).toEqual([]);
    // Even if a foreign collection got this far.
    expect((await find("zyxxoprilatte", [other.collection])).corrections).toEqual([]);
    const allowed = {
      query: "zyxxoprilatte",
      collections: [other.collection],
      topK: 8,
      minScore: 0,
    };
    const { corrections } = await search(other.ctx, { ...allowed });
    expect(corrections).toEqual([{ from: "zyxxoprilatte", to: "zyxxoprilate" }]);
  });
});

describe("a brand name", () => {
  const packs = env.KNOWLEDGE_PACKS;
  beforeEach(() => {
    env.KNOWLEDGE_PACKS = "customer_kb=medical";
  });
  afterEach(() => {
    env.KNOWLEDGE_PACKS = packs;
  });

  it("is searched as what the collection calls the same", async () => {
    await indexText(own, "Acetaminophen relieves pain and fever.");
    const [brand, generic] = [await find("Tylenol fever"), await find("acetaminophen fever")];
    expect(brand.corrections).toEqual([{ from: "Tylenol", to: "acetaminophen" }]);
    expect(brand.passages).toEqual(generic.passages);
    expect((await find('"Tylenol" fever')).corrections).toEqual([]);
  });

  it("of a drug that hardly any passage mentions is searched with its class, and loses no passage of its own", async () => {
    const { ctx: asked, collection } = await makeCollection();
    await indexText(collection, "Anna takes lisinopril in the morning.");
    const texts = ["cough", "thirst", "sleep", "dizziness", "swelling"];
    for (const text of texts) {
      await indexText(collection, `An ACE inhibitor can change ${text}.`);
    }
    const options = { collections: [collection], topK: 8, minScore: 0.3 };
    const found = await search(asked, { query: "Is lisinopril safe?", ...options });
    expect(found.corrections).toEqual([
      { from: "lisinopril", to: "ACE inhibitor", isBesides: true },
    ]);
    expect(found.passages[0]?.text).toContain("Anna");
    expect(found.passages).toHaveLength(1 + texts.length);
    const brand = await search(asked, { query: "Is Zestril safe?", ...options });
    expect(brand.passages.map(({ text }) => text)).toEqual(found.passages.map(({ text }) => text));
  });

  it("is a word like any other in a collection that doesn't declare the pack", async () => {
    const { ctx: asked, collection } = await makeCollection();
    const notes = {
      ...collection,
      id: `personal_kb:${asked.account.id}`,
      scope: "personal_kb",
    } as const;
    const [about] = [
      await indexText(collection, "Multiple sclerosis is a disease of nerves."),
      await indexText(notes, "MS Excel adds up columns."),
      await indexText(notes, "Multiple columns show sclerosis of archives."),
    ];
    const options = { topK: 8, minScore: 0 };
    const alone = await search(asked, { query: "MS", collections: [notes], ...options });
    expect(alone.corrections).toEqual([]);
    expect(alone.passages.map(({ text }) => text)).toEqual(["MS Excel adds up columns."]);
    const both = await search(asked, { query: "MS", collections: [notes, collection], ...options });
    expect(both.corrections).toEqual([{ from: "MS", to: "multiple sclerosis" }]);
    expect(both.passages.map(({ text }) => text).sort()).toEqual([
      "MS Excel adds up columns.",
      "Multiple sclerosis is a disease of nerves.",
    ]);
    expect(both.passages.some(({ documentId }) => documentId === about)).toBe(true);
    const excel = await search(asked, {
      query: "MS Excel",
      collections: [notes, collection],
      ...options,
      minScore: 0.3,
    });
    expect(excel.passages[0]?.text).toBe("MS Excel adds up columns.");
  });
});

describe("an unknown word", () => {
  it("doesn't lower the similarity of what the other words find", async () => {
    const known = "glibberexol tablet";
    const [alone, beside] = [await find(known), await find(`${known} qwyxkfqt`)];
    expect(beside.passages[0]?.similarity).toBe(alone.passages[0]?.similarity);
    expect(beside.corrections).toEqual([]);
  });
});

describe("bad input", () => {
  it.each([
    ["only unknown words", "qwyxkfqt zzkvbwp"],
    ["only quotes", '""""“„«'],
    ["mixed scripts", "метformin 糖尿病 qwyxкfqt"],
    ["zero-width characters", "\u200b\u200d\ufeff"],
    [
      "many unknown words",
      Array.from({ length: 900 }, (_, index) => `qw${index.toString(26)}yx`).join(" "),
    ],
  ])("of %s finds nothing", async (_, query) => {
    expect(await find(query)).toMatchObject({ passages: [], corrections: [] });
  });
});
