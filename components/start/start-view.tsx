"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { BookOpen, Check, FileText, KeyRound, MessageSquareQuote } from "lucide-react";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { sampleModel } from "@/components/keys/sample-call";
import { PageHeader } from "@/components/shell/page-header";
import { BlocksSkeleton } from "@/components/shell/page-skeleton";
import { EmptyState, LoadError } from "@/components/shell/state";
import { ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { RelativeTime } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import { formatDuration, formatKind, formatOutcome } from "@/components/usage/labels";
import { firstKeyQuery, useRotateKey } from "@/lib/money/keys/client";
import type { Key } from "@/lib/money/keys/schema";
import { requestsQuery } from "@/lib/money/usage/client";
import type { LoggedRequest } from "@/lib/money/usage/schema";
import { firstCalls } from "./first-call";
import { type Funds, FundsNotice } from "./funds-notice";
import { KeyPanel, type Renewal } from "./key-panel";
import { START_PAGE, STEPS_SKELETON } from "./labels";

interface StartViewProps {
  /** The account's newest key that the member may use here; null for a new account, which gets one. */
  apiKey: Key | null;
  model: string;
  /** The account's first successful request, if it has made one. */
  first: LoggedRequest | null;
  funds: Funds;
}

/** From a new account to a first cited answer. The key is created by the visit itself. */
export function StartView({ apiKey, ...props }: StartViewProps) {
  return (
    <>
      <PageHeader {...START_PAGE} />
      {apiKey ? <KnownKey apiKey={apiKey} {...props} /> : <NewKey {...props} />}
    </>
  );
}

function NewKey({ model, funds }: Pick<StartViewProps, "model" | "funds">) {
  const query = useQuery(firstKeyQuery);
  const { data, error } = query;
  if (data?.created) {
    const { key, secret } = data.created;
    return <Steps apiKey={key} secret={secret} model={model} funds={funds} />;
  }
  if (data) {
    return <NoUsableKey />;
  }
  return error ? (
    <LoadError title="Your test key wasn’t created" query={query} />
  ) : (
    <BlocksSkeleton label="Creating your test key" blocks={STEPS_SKELETON} />
  );
}

/** The account's keys were revoked, have expired, or can't chat. */
function NoUsableKey() {
  return (
    <EmptyState
      icon={KeyRound}
      title="No suitable key yet"
      description="Create a key that can chat with citations, then make your first call."
      action={
        <ButtonLink href="/keys?create=1" variant="primary">
          Create key
        </ButtonLink>
      }
    />
  );
}

/** The secret of an earlier visit is gone, so the code reads it from the environment until it is replaced. */
function KnownKey({ apiKey, ...props }: Omit<StepsProps, "secret" | "renewal">) {
  const rotation = useRotateKey(apiKey.id);
  const { key = apiKey, secret = null } = rotation.data ?? {};
  return (
    <Steps
      {...props}
      apiKey={key}
      secret={secret}
      renewal={{
        renew: () => rotation.mutate({ overlap_seconds: 0 }),
        isPending: rotation.isPending,
        error: rotation.error?.message,
      }}
    />
  );
}

interface StepsProps {
  apiKey: Key;
  secret: string | null;
  model: string;
  first?: LoggedRequest | null;
  funds: Funds;
  renewal?: Renewal;
}

function Steps({ apiKey, secret, model, first = null, funds, renewal }: StepsProps) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-6">
        <FundsNotice {...funds} />
        <KeyPanel apiKey={apiKey} secret={secret} funds={funds} renewal={renewal} />
        <CallSamples secret={secret} model={sampleModel(apiKey, model)} />
      </div>
      <div className="grid min-w-0 gap-6">
        <FirstRequest keyId={apiKey.id} earlier={first} />
        <NextSteps />
      </div>
    </div>
  );
}

const POLL_MS = 2000;

interface FirstRequestProps {
  keyId: string;
  /** The account's first one, if there was one before this visit. */
  earlier: LoggedRequest | null;
}

/** Waits for a request with the key: a check mark when it succeeds, the reason when it is refused. */
function FirstRequest({ keyId, earlier }: FirstRequestProps) {
  const { data, isError } = useInfiniteQuery({
    ...requestsQuery({ key: keyId }),
    enabled: earlier === null,
    refetchInterval: ({ state }) => (findSuccess(state.data?.pages) ? false : POLL_MS),
  });
  const success = earlier ?? findSuccess(data?.pages);
  const latest = data?.pages[0]?.data[0];
  return (
    <section
      aria-label="Your first request"
      aria-live="polite"
      className="grid gap-3 rounded-lg border bg-surface p-4"
    >
      {success ? <Arrived request={success} /> : <Waiting failed={latest} isOffline={isError} />}
    </section>
  );
}

function findSuccess(pages: { data: LoggedRequest[] }[] | undefined): LoggedRequest | undefined {
  return pages?.flatMap(({ data }) => data).findLast(({ status }) => status < 400);
}

function Arrived({ request }: { request: LoggedRequest }) {
  return (
    <>
      <p className="flex items-center gap-2.5 font-medium text-base">
        <span
          aria-hidden
          className="grid size-6 animate-appear place-items-center rounded-full bg-success-soft text-success"
        >
          <Check className="size-4" />
        </span>
        Your first request arrived
      </p>
      <p className="text-muted">
        <RelativeTime value={request.created_at} />: {formatKind(request.kind)}, answered in{" "}
        {formatDuration(request.latency_ms)} for <Usd value={request.cost_usd} />.
      </p>
      <ButtonLink href={`/usage/${request.id}`} variant="primary" size="sm">
        See its sources and cost
      </ButtonLink>
    </>
  );
}

function Waiting({ failed, isOffline }: { failed: LoggedRequest | undefined; isOffline: boolean }) {
  return (
    <>
      <p className="flex items-center gap-2.5 font-medium text-base">
        <span aria-hidden className="relative grid size-6 place-items-center">
          <span className="absolute size-4 animate-ping rounded-full bg-accent/30" />
          <span className="size-2 rounded-full bg-accent" />
        </span>
        Waiting for your first request
      </p>
      <p className="text-muted">
        {isOffline
          ? "We can’t reach the server right now. We’ll keep trying."
          : "Run the code. A check mark appears here when the request arrives."}
      </p>
      {failed && (
        <p>
          A request arrived, but failed: {formatOutcome(failed)}.{" "}
          <Link
            href={`/usage/${failed.id}`}
            className="rounded-sm text-accent underline underline-offset-4"
          >
            See why
          </Link>
        </p>
      )}
    </>
  );
}

/** A request to copy and run. */
function CallSamples({ secret, model }: { secret: string | null; model: string }) {
  const origin = useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => "",
  );
  const tabs = firstCalls({ secret, origin, model }).map(({ code, language, ...tab }) => ({
    ...tab,
    content: <CodeBlock code={code} language={language} />,
  }));
  return (
    <section aria-labelledby="call" className="grid gap-2.5">
      <h2 id="call" className="font-medium text-base">
        2. Run this
      </h2>
      <Tabs label="Language" tabs={tabs} />
    </section>
  );
}

const NEXT = [
  {
    href: "/documents?upload=1",
    name: "Add your documents",
    about: "Answers cite them alongside public knowledge.",
    icon: FileText,
  },
  {
    href: "/playground",
    name: "Ask in the playground",
    about: "No code, with sources and verdicts beside the answer.",
    icon: MessageSquareQuote,
  },
  {
    href: "/docs/citations",
    name: "Read how citations work",
    about: "What a verdict means, and what it can’t tell you.",
    icon: BookOpen,
  },
];

function NextSteps() {
  return (
    <section aria-labelledby="next" className="grid gap-2.5">
      <h2 id="next" className="font-medium text-base">
        Next
      </h2>
      <ul className="divide-y rounded-lg border bg-surface">
        {NEXT.map(({ href, name, about, icon: Icon }) => (
          <li key={href} className="relative flex gap-3 p-3.5 hover:bg-sunken/50">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            <span className="grid gap-0.5">
              <Link
                href={href}
                prefetch={false}
                className="rounded-sm font-medium after:absolute after:inset-0"
              >
                {name}
              </Link>
              <span className="text-muted text-xs">{about}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
