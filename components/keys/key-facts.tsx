import Link from "next/link";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { ExactTime, RelativeTime } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import type { Key, KeyOptions } from "@/lib/money/keys/schema";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import { KNOWLEDGE_LABELS, QUERY_MODE_LABELS, SCOPE_LABELS } from "./labels";

interface KeyFactsProps extends Pick<KeyOptions, "stores"> {
  apiKey: Key;
}

/** Everything that is fixed about a key, and its limits. */
export function KeyFacts({ apiKey: key, stores }: KeyFactsProps) {
  return (
    <section aria-labelledby="facts" className="grid gap-3">
      <h2 id="facts" className="font-medium text-base">
        Settings
      </h2>
      <dl className="grid items-start gap-x-6 gap-y-4 rounded-lg border bg-surface p-4 sm:grid-cols-2 lg:grid-cols-4">
        <Fact name="Key">
          <code className="break-all font-mono text-xs">{key.display}</code>
        </Fact>
        <ReplacedSecrets apiKey={key} />
        <Permissions apiKey={key} stores={stores} />
        <Fact name="Rate limits">
          <span className="tabular-nums">{formatLimit(key.requests_per_minute, "requests")}</span>
          <span className="tabular-nums">{formatLimit(key.tokens_per_minute, "tokens")}</span>
        </Fact>
        <Fact name="Created">
          <ExactTime value={key.created_at} />
          {key.created_by && <span className="break-words text-muted">by {key.created_by}</span>}
          {key.created_by_key && (
            <Link
              href={`/keys/${key.created_by_key.id}`}
              className="w-fit text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
            >
              with the key {key.created_by_key.name}
            </Link>
          )}
        </Fact>
        <Fact name="Expires">{exactOrNever(key.expires_at)}</Fact>
        {key.revoked_at && <Fact name="Revoked">{exactOrNever(key.revoked_at)}</Fact>}
        <Fact name="ID" className="sm:col-span-2">
          <span className="flex flex-wrap items-center gap-2">
            <code className="break-all font-mono text-xs">{key.id}</code>
            <CopyButton text={key.id} label="Copy ID" />
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function exactOrNever(time: string | null): ReactNode {
  return time ? <ExactTime value={time} /> : "Never";
}

function ReplacedSecrets({ apiKey: { replaced_secrets } }: { apiKey: Key }) {
  return (
    replaced_secrets.length > 0 && (
      <Fact name="Old secrets">
        {replaced_secrets.map(({ display, expires_at, last_used_at }) => (
          <span key={display + expires_at} className="grid">
            <code className="font-mono text-xs leading-5">{display}</code>
            <span className="text-muted text-xs">
              Works until <ExactTime value={expires_at} />
            </span>
            <span className="text-muted text-xs">
              Last used: {last_used_at ? <RelativeTime value={last_used_at} /> : "never"}
            </span>
          </span>
        ))}
      </Fact>
    )
  );
}

function Permissions({ apiKey: key, stores }: KeyFactsProps) {
  return (
    <>
      <Fact name="Scopes" className="lg:col-span-2 lg:[&>dd]:grid-cols-2">
        {key.scopes.map((scope) => (
          <span key={scope} className="grid">
            <code className="font-mono text-xs leading-5">{scope}</code>
            <span className="text-muted text-xs">{SCOPE_LABELS[scope]}</span>
          </span>
        ))}
      </Fact>
      <Fact name="Knowledge">
        {key.knowledge_scopes.length === 0 && "None. This key can’t search or cite documents."}
        {key.knowledge_scopes.map((scope) => (
          <span key={scope}>
            {KNOWLEDGE_LABELS[scope].name}{" "}
            <code className="font-mono text-muted text-xs">{scope}</code>
          </span>
        ))}
      </Fact>
      {key.stores && (
        <Fact name="Vector stores">
          {key.stores.map((id) => (
            <span key={id} className="grid break-words">
              {stores.find((store) => store.id === id)?.name}
              <code className="break-all font-mono text-muted text-xs">{id}</code>
            </span>
          ))}
        </Fact>
      )}
      {key.person && (
        <Fact name="Person">
          <span className="break-words">{key.person.reference}</span>
        </Fact>
      )}
      <Fact name="Models">
        {key.models ? <Models models={key.models} /> : "Default model only"}
      </Fact>
      <Fact name="Search with">{QUERY_MODE_LABELS[key.query_mode].name}</Fact>
    </>
  );
}

function Models({ models }: { models: readonly string[] }) {
  if (models.includes(ALL_MODELS)) {
    return "All models, also those added later";
  }
  return models.map((model) => (
    <code key={model} className="break-all font-mono text-xs leading-5">
      {model}
    </code>
  ));
}

function formatLimit(limit: number | null, unit: string): string {
  return limit === null
    ? `Default limit for ${unit}`
    : `${limit.toLocaleString("en-US")} ${limit === 1 ? unit.slice(0, -1) : unit} per minute`;
}

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Fact({ name, className, children }: FactProps) {
  return (
    <div className={cn("grid gap-1", className)}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="grid min-w-0 gap-1.5">{children}</dd>
    </div>
  );
}
