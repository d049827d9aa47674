const QUESTION = "What is the first-line treatment of anaphylaxis?";

interface FirstCall {
  /** The secret, or null for code that reads it from the environment. */
  secret: string | null;
  origin: string;
  model: string;
}

/** A first cited request in three languages; the two scripts need the `openai` package. */
export function firstCalls({ secret, origin, model }: FirstCall) {
  return [
    {
      id: "curl",
      label: "curl",
      language: "bash",
      code: curl(secret ?? "$FOOTNOTE_API_KEY", origin, model),
    },
    {
      id: "python",
      label: "Python",
      language: "python",
      code: python(secret ? JSON.stringify(secret) : PYTHON_KEY, origin, model),
    },
    {
      id: "typescript",
      label: "TypeScript",
      language: "typescript",
      code: typescript(secret ? JSON.stringify(secret) : TYPESCRIPT_KEY, origin, model),
    },
  ];
}

const PYTHON_KEY = 'os.environ["FOOTNOTE_API_KEY"]';
const TYPESCRIPT_KEY = "process.env.FOOTNOTE_API_KEY";

function curl(key: string, origin: string, model: string): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": ${JSON.stringify(model)},
    "messages": [
      {"role": "user", "content": ${JSON.stringify(QUESTION)}}
    ],
    "citations": {"enabled": true, "required": true}
  }'`;
}

function python(key: string, origin: string, model: string): string {
  return `# pip install openai
${key === PYTHON_KEY ? "import os\n" : ""}from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=${key},
)

completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[
        {"role": "user", "content": ${JSON.stringify(QUESTION)}},
    ],
    extra_body={"citations": {"enabled": True, "required": True}},
)
print(completion.choices[0].message.content)
for source in completion.citations:
    print(source["id"], source["title"])`;
}

function typescript(key: string, origin: string, model: string): string {
  return `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: ${key},
});

const question = {
  model: ${JSON.stringify(model)},
  messages: [
    { role: "user" as const, content: ${JSON.stringify(QUESTION)} },
  ],
  citations: { enabled: true, required: true },
};
const completion = await client.chat.completions.create(question);
console.log(completion.choices[0]?.message.content);`;
}
