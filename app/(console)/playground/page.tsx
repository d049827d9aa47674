import type { Metadata } from "next";
import { PlaygroundView } from "@/components/playground/playground-view";
import { toReplay } from "@/components/playground/replay";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { findStoredByRequest } from "@/lib/chat/read";
import { toReaderContext } from "@/lib/documents/read/documents";
import { listNewestOutlines } from "@/lib/documents/read/outline";
import { listModels } from "@/lib/models/catalogue";

export const metadata: Metadata = { title: "Playground" };

/** Of documents that examples are made from. */
const OUTLINES = 3;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PlaygroundPage({ searchParams }: PageProps) {
  const { replay } = await searchParams;
  const requestId = typeof replay === "string" ? replay : null;
  const ctx = await requireMember(
    requestId ? `/playground?replay=${encodeURIComponent(requestId)}` : "/playground",
  );
  const reader = await toReaderContext(ctx);
  const [outlines, stored] = await Promise.all([
    listNewestOutlines(reader, OUTLINES),
    requestId ? findReplay(ctx, requestId) : null,
  ]);
  const models = listModels().map(({ id, isDefault }) => ({ id, isDefault }));
  return (
    <PlaygroundView member={ctx.actor.id} models={models} outlines={outlines} replay={stored} />
  );
}

/** Null for an answer that isn't stored or that the member can't read. */
async function findReplay(ctx: MemberContext, requestId: string) {
  const stored = await findStoredByRequest(ctx, requestId);
  return stored?.access === "shown" ? toReplay(stored) : null;
}
