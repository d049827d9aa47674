import OpenAI from "openai";

// Asks one question with the stock client and prints the answer. Fails when the answer cites no source.

const question =
  process.argv.slice(2).join(" ") || "What HbA1c level means that someone has diabetes?";
const client = new OpenAI({
  apiKey: process.env.FOOTNOTE_API_KEY,
  baseURL: process.env.FOOTNOTE_BASE_URL ?? "http://localhost:3000/v1",
});

const models = await client.models.list();
const completion = await client.chat.completions.create({
  model: models.data.find((model) => model.id === "footnote-extract-1")?.id ?? models.data[0].id,
  messages: [{ role: "user", content: question }],
  citations: { enabled: true, required: true },
});
const answer = completion.choices[0].message.content;
const cited = completion.citations.filter(({ id }) => answer.includes(`[${id}]`));

const print = (line) => process.stdout.write(`${line}\n`);
print(`\n  Question: ${question}\n\n  Answer:`);
for (const line of answer.split("\n")) {
  print(`    ${line}`);
}
print("\n  Sources:");
for (const { id, title, similarity, metadata } of completion.citations) {
  print(`    [${id}] ${title} (${similarity.toFixed(2)})  ${metadata.url ?? ""}`);
}
print(`\n  Cost: $${completion.usage.cost_usd}, request ${completion._request_id}\n`);
if (cited.length === 0) {
  throw new Error("the answer cites no source");
}
