import Link from "next/link";
import { CodeSample } from "@/components/docs/code-sample";
import { SAMPLES } from "./samples";

const CLIENTS = [
  { name: "OpenAI for Python and Node", href: "/docs/quickstart-python" },
  { name: "Vercel AI SDK", href: "/docs/nextjs" },
  { name: "LangChain", href: "/docs/langchain" },
  { name: "OpenAI Agents SDK", href: "/docs/agents" },
  { name: "LlamaIndex", href: "/docs/clients" },
  { name: "Mastra", href: "/docs/presets" },
  { name: "TanStack AI", href: "/docs/clients" },
];

/** The clients that work as they are, and a request. */
export function Clients() {
  return (
    <section className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="grid gap-4">
        <h2 className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]">
          Use the client you already have
        </h2>
        <p className="text-pretty text-[1.0625rem] text-muted leading-7">
          Change the base URL and add <code className="font-mono text-ink">citations</code>.
          Streaming, tools and stored answers work as before.
        </p>
        <ul aria-label="Clients and frameworks" className="flex flex-wrap gap-2 pt-1">
          {CLIENTS.map(({ name, href }) => (
            <li key={name}>
              <Link
                href={href}
                prefetch={false}
                className="inline-flex min-h-8 items-center rounded-full border bg-surface px-3 text-[0.8125rem] hover:border-control"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <CodeSample samples={SAMPLES} />
    </section>
  );
}
