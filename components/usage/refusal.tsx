import Link from "next/link";
import type { Job } from "@/lib/library/documents/schema";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { formatNumber } from "./labels";
import { Section } from "./section";

/** Why a request was refused, as its caller saw it; nothing for any other request. */
export function Refusal({ request: { refusal, error_code, status } }: { request: RequestRecord }) {
  if (!refusal) {
    return null;
  }
  const { message, param, skipped } = refusal;
  return (
    <Section title="Why it was refused">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        <p className="break-words">{message}</p>
        <dl className="flex flex-wrap gap-x-6 gap-y-2">
          <Fact name="Status" value={String(status)} />
          <Fact name="Code" value={error_code} />
          <Fact name="Field" value={param} />
        </dl>
        <p className="text-muted text-xs leading-5">
          {error_code && (
            <>
              <Link href={`/docs/errors#${error_code}`} className="underline hover:text-ink">
                How to fix {error_code}
              </Link>
              .{" "}
            </>
          )}
          It was rejected before any work began, so it was free.
          {skipped > 0 &&
            ` ${formatNumber(skipped)} earlier refused ${skipped === 1 ? "request" : "requests"} of this key ${skipped === 1 ? "was" : "were"} only counted.`}
        </p>
      </div>
    </Section>
  );
}

/** What each code means for a request that the server had begun. */
const FAILURES: Record<string, string> = {
  client_closed_request: "The client disconnected before the answer was complete.",
  context_length_exceeded: "The messages and the passages don’t fit into the model’s context.",
  internal_error: "Something failed on the server. Its log has the cause under this request’s id.",
  invalid_request: "The model’s upstream rejected the request.",
  rate_limit_exceeded: "The model’s own rate limit was reached.",
  retrieval_unavailable: "Search was unavailable.",
  service_unavailable: "The server was overloaded or stopping.",
  upstream_error: "The model failed to answer.",
  upstream_timeout: "The model took too long to answer.",
};

/** Why a request failed that the server had begun; nothing for any other request. */
export function Failure({ request: { refusal, error_code, status } }: { request: RequestRecord }) {
  if (refusal || status < 400 || !error_code) {
    return null;
  }
  const isDocumented = error_code !== "client_closed_request";
  return (
    <Section title="Why it failed">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        <p className="break-words">{FAILURES[error_code] ?? "The request failed."}</p>
        <dl className="flex flex-wrap gap-x-6 gap-y-2">
          <Fact name="Status" value={String(status)} />
          <Fact name="Code" value={error_code} />
        </dl>
        {isDocumented && (
          <p className="text-muted text-xs leading-5">
            <Link href={`/docs/errors#${error_code}`} className="underline hover:text-ink">
              How to fix {error_code}
            </Link>
          </p>
        )}
      </div>
    </Section>
  );
}

/** Why the document of an upload couldn't be read; nothing for any other request. */
export function JobFailure({ error }: { error: Job["error"] }) {
  return (
    error && (
      <Section title="Why it failed">
        <div className="grid gap-3 rounded-lg border bg-surface p-4">
          <p className="break-words">{error.message}</p>
          <dl>
            <Fact name="Code" value={error.code} />
          </dl>
          <p className="text-muted text-xs leading-5">
            <Link href="/docs/knowledge-bases#jobs" className="underline hover:text-ink">
              Why jobs fail
            </Link>
          </p>
        </div>
      </Section>
    )
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    value && (
      <div className="min-w-0">
        <dt className="text-muted text-xs">{name}</dt>
        <dd>
          <code className="break-all font-mono text-xs">{value}</code>
        </dd>
      </div>
    )
  );
}
