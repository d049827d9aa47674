import type { Sample } from "@/components/docs/code-sample";
import { LOCAL_ADDRESS } from "@/components/docs/local-address";

const CURL = `curl ${LOCAL_ADDRESS}/v1/chat/completions \\
  -H "Authorization: Bearer $FOOTNOTE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "footnote-extract-1",
    "messages": [
      {"role": "user", "content": "How is asthma treated?"}
    ],
    "citations": {"enabled": true, "required": true}
  }'`;

const PYTHON = `import os
from openai import OpenAI

client = OpenAI(
    base_url="${LOCAL_ADDRESS}/v1",
    api_key=os.environ["FOOTNOTE_API_KEY"],
)
completion = client.chat.completions.create(
    model="footnote-extract-1",
    messages=[
        {"role": "user", "content": "How is asthma treated?"}
    ],
    extra_body={"citations": {"enabled": True, "required": True}},
)
print(completion.choices[0].message.content)
for source in completion.citations:
    print(source["id"], source["title"])`;

const TYPESCRIPT = `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${LOCAL_ADDRESS}/v1",
  apiKey: process.env.FOOTNOTE_API_KEY,
});
const question = {
  model: "footnote-extract-1",
  messages: [
    { role: "user" as const, content: "How is asthma treated?" },
  ],
  citations: { enabled: true, required: true },
};
const completion = await client.chat.completions.create(question);
console.log(completion.choices[0]?.message.content);`;

/** The same cited question in three languages. */
export const SAMPLES: readonly Sample[] = [
  { label: "curl", language: "bash", code: CURL },
  { label: "Python", language: "python", code: PYTHON },
  { label: "TypeScript", language: "typescript", code: TYPESCRIPT },
];
