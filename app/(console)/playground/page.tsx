import type { Metadata } from "next";
import { PLAYGROUND_SKELETON } from "@/components/playground/playground-skeleton";
import { PlaygroundView } from "@/components/playground/playground-view";
import { toReplay } from "@/components/playground/replay";
import { PageContent } from "@/components/shell/page-content";
import { findStoredByRequest } from "@/lib/answers/chat/read/stored";
import type { Reader } from "@/lib/library/documents/collections";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findOpenDocument } from "@/lib/library/documents/read/open";
import { listNewestOutlines } from "@/lib/library/documents/read/outline";
import { listModels } from "@/lib/models/catalogue";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Playground" };

/** Of documents that examples are made from. */
const OUTLINES = 3;

type Search = Record<string, string | string[] | undefined>;

export default async function PlaygroundPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { replay, document } = await searchParams;
  const asked = new URLSearchParams(
    Object.entries({ replay, document }).flatMap(([name, value]) =>
      typeof value === "string" && value ? [[name, value]] : [],
    ),
  );
  const ctx = await requireMember(asked.size > 0 ? `/playground?${asked}` : "/playground");
  return <PageContent view={Playground({ ctx, asked })} skeleton={PLAYGROUND_SKELETON} />;
}

async function Playground({ ctx, asked }: { ctx: MemberContext; asked: URLSearchParams }) {
  const reader = await toReaderContext(ctx);
  const [requestId, documentId] = [asked.get("replay"), asked.get("document")];
  const [outlines, stored, chosen] = await Promise.all([
    listNewestOutlines(reader, OUTLINES),
    requestId ? findReplay(ctx, requestId) : null,
    documentId ? findChosen(reader, documentId) : null,
  ]);
  const models = listModels().map(({ id, isDefault }) => ({ id, isDefault }));
  return <PlaygroundView member={ctx.actor.id} {...{ models, outlines, chosen }} replay={stored} />;
}

/** Null for an answer that isn't stored or that the member can't read. */
async function findReplay(ctx: MemberContext, requestId: string) {
  const stored = await findStoredByRequest(ctx, requestId);
  return stored?.access === "shown" ? toReplay(stored) : null;
}

/** Null for a document that the member can't read, and for one that was deleted. */
async function findChosen(reader: Reader, id: string) {
  const opened = await findOpenDocument(reader, id);
  if (opened?.state !== "there") {
    return null;
  }
  const { title, scope } = opened.document;
  return { id, title, preset: scope === "personal_kb" ? "personal" : "company" } as const;
}
