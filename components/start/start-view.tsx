"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { sampleModel } from "@/components/keys/sample-call";
import { PageHeader } from "@/components/shell/page-header";
import { BlocksSkeleton } from "@/components/shell/page-skeleton";
import { EmptyState, LoadError } from "@/components/shell/state";
import { buttonVariants } from "@/components/ui/button";
import { firstKeyQuery, useRotateKey } from "@/lib/money/keys/client";
import type { Key } from "@/lib/money/keys/schema";
import type { LoggedRequest } from "@/lib/money/usage/schema";
import { CallSamples } from "./call-samples";
import { FirstRequest } from "./first-request";
import { type Funds, FundsNotice } from "./funds-notice";
import { KeyPanel, type Renewal } from "./key-panel";
import { START_PAGE, STEPS_SKELETON } from "./labels";
import { NextSteps } from "./next-steps";

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
        <Link href="/keys?create=1" className={buttonVariants({ variant: "primary" })}>
          Create key
        </Link>
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
