// Asks one question over HTTP and prints the answer. Fails when the answer cites no source. Without a client, because
// `npm start` installs none.

const question = process.argv.slice(2).join(" ") || "What are the signs of a stroke?";
const baseUrl = process.env.FOOTNOTE_BASE_URL ?? "http://localhost:3000/v1";

const models = await call("/models");
const completion = await call("/chat/completions", {
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
print(`\n  Cost: $${completion.usage.cost_usd}, answer ${completion.id}\n`);
if (cited.length === 0) {
  throw new Error("the answer cites no source");
}

async function call(path, body) {
  const response = await fetch(baseUrl + path, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${process.env.FOOTNOTE_API_KEY}`,
      "content-type": "application/json",
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.error?.message ?? `${path} answered ${response.status}`);
  }
  return answer;
}
