import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageContent } from "@/components/shell/page-content";
import { toShownPassages } from "@/components/usage/passages";
import { RequestAnswer } from "@/components/usage/request-answer";
import { RequestSkeleton } from "@/components/usage/request-skeleton";
import { RequestView } from "@/components/usage/request-view";
import { findStoredByRequest } from "@/lib/answers/chat/read/stored";
import { readableDocuments } from "@/lib/library/documents/collections";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findJobOfRequest } from "@/lib/library/documents/read/jobs";
import { findPassages } from "@/lib/library/retrieval/read/passages";
import { findRequest } from "@/lib/money/usage/read/request";
import type { RequestRecord } from "@/lib/money/usage/schema";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Request" };

export default async function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const ctx = await requireMember(`/usage/${encodeURIComponent(id)}`);
  const request = await findRequest(ctx, id);
  if (!request) {
    // Before streaming starts, so that the response status is 404.
    notFound();
  }
  return (
    <PageContent view={Request({ ctx, request })} skeleton={<RequestSkeleton id={request.id} />} />
  );
}

async function Request({ ctx, request }: { ctx: MemberContext; request: RequestRecord }) {
  const { id } = request;
  const [stored, reader] = await Promise.all([findStoredByRequest(ctx, id), toReaderContext(ctx)]);
  const chunkIds = request.sources.flatMap(({ chunk_id }) => chunk_id ?? []);
  const readable = readableDocuments(reader);
  const hasFailedJob = request.kind === "ingest" && request.status === 422;
  const job = hasFailedJob ? await findJobOfRequest(reader, id) : null;
  const passages = chunkIds.length > 0 ? await findPassages(ctx.signal, chunkIds, readable) : [];
  return (
    <RequestView
      request={request}
      passages={toShownPassages(passages)}
      isAnswerShown={stored?.access === "shown"}
      jobError={job?.error ?? null}
      answer={<RequestAnswer request={request} stored={stored} />}
    />
  );
}
