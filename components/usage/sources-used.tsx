import Link from "next/link";
import { formatSimilarity } from "@/components/citations/labels";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Badge } from "@/components/ui/badge";
import type { RequestRecord, SourceUsed } from "@/lib/usage/schema";
import { Section } from "./section";

/** Which passages the model was given, by the names of their documents. */
export function SourcesUsed({ request: { sources, passages } }: { request: RequestRecord }) {
  if (passages === null) {
    return null;
  }
  return (
    <Section title="Sources">
      {sources.length > 0 ? (
        <ol className="divide-y rounded-lg border bg-surface">
          {sources.map((source) => (
            <Source key={source.id} source={source} />
          ))}
        </ol>
      ) : (
        <p className="rounded-lg border bg-surface p-4 text-muted">
          {passages === 0
            ? "Retrieval found no passages."
            : `Retrieval found ${passages === 1 ? "1 passage" : `${passages} passages`}. Details weren’t recorded.`}
        </p>
      )}
    </Section>
  );
}

function Source({ source }: { source: SourceUsed }) {
  const scope = (KNOWLEDGE_LABELS as Record<string, { name: string }>)[source.scope];
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <span className="mt-px w-6 shrink-0 font-mono text-accent text-xs leading-5">
        [{source.id}]
      </span>
      <span className="min-w-0 flex-1">
        <SourceName source={source} />
        <span className="block text-muted text-xs">
          {scope?.name ?? source.scope} · Similarity {formatSimilarity(source.similarity)}
        </span>
      </span>
      <Badge tone={source.cited ? "accent" : "neutral"}>
        {source.cited ? "Cited" : "Not cited"}
      </Badge>
    </li>
  );
}

function SourceName({ source: { state, title, document_id } }: { source: SourceUsed }) {
  if (state === "visible" && document_id) {
    return (
      <Link
        href={`/documents/${document_id}`}
        prefetch={false}
        className="block break-words rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {title}
      </Link>
    );
  }
  return (
    <span className="block text-muted">
      {state === "personal" ? "A personal document" : "A deleted document"}
    </span>
  );
}
