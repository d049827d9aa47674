/** The same cited question in three languages. `origin` is where the API answers. */
export function curlSample(origin: string): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $FOOTNOTE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "footnote-extract-1",
    "messages": [
      {"role": "user", "content": "Who must not take metformin?"}
    ],
    "citations": {"enabled": true}
  }'`;
}

export function pythonSample(origin: string): string {
  return `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["FOOTNOTE_API_KEY"],
)
completion = client.chat.completions.create(
    model="footnote-extract-1",
    messages=[
        {"role": "user", "content": "Who must not take metformin?"}
    ],
    extra_body={"citations": {"enabled": True}},
)
print(completion.choices[0].message.content)
for source in completion.citations:
    print(source["id"], source["title"])`;
}

export function typescriptSample(origin: string): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: process.env.FOOTNOTE_API_KEY,
});
const question = {
  model: "footnote-extract-1",
  messages: [
    { role: "user" as const, content: "Who must not take metformin?" },
  ],
  citations: { enabled: true },
};
const completion = await client.chat.completions.create(question);
console.log(completion.choices[0]?.message.content);`;
}
