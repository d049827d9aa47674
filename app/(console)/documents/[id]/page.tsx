import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { Suspense } from "react";
import { DocumentPages } from "@/components/documents/document-pages";
import { DocumentView } from "@/components/documents/document-view";
import { DeletedDocument } from "@/components/documents/missing-document";
import { QuoteNotice } from "@/components/documents/quote-notice";
import { TextReader } from "@/components/documents/text-reader";
import { ListSkeleton } from "@/components/ui/skeleton";
import type { Reader } from "@/lib/library/documents/collections";
import { parseQuoteRef } from "@/lib/library/documents/quote-ref";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findOpenDocument, readQuote, readText } from "@/lib/library/documents/read/open";
import { isPublicDocument } from "@/lib/library/documents/read/public";
import { currentMember, requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Document" };

interface PageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ quote?: string | string[] }>;
}

export default async function DocumentPage({ params, searchParams }: PageProps) {
  const [{ id }, { quote: asked }] = await Promise.all([params, searchParams]);
  const ref = asked === undefined ? null : String(asked);
  const place = encodeURIComponent(id) + (ref ? `?${new URLSearchParams({ quote: ref })}` : "");
  if (!(await currentMember()) && (await isPublicDocument(id))) {
    redirect(`/sources/${place}`);
  }
  const ctx = await requireMember(`/documents/${place}`);
  const reader = await toReaderContext(ctx);
  const opened = await findOpenDocument(reader, id);
  if (!opened) {
    notFound();
  }
  if (opened.state === "deleted") {
    return <DeletedDocument trace={opened} />;
  }
  const quote = ref && parseQuoteRef(ref) ? await readQuote(reader, { id, ref }) : null;
  const notice = ref && <QuoteNotice quote={quote} canShare={opened.is_own} permalink={ref} />;
  return (
    <DocumentView key={id} opened={opened} notice={notice}>
      {opened.document.chunks > 0 && (
        <DocumentPages key={ref} opened={opened} quote={quote}>
          <Suspense fallback={<ListSkeleton label="Loading text" isCompact />}>
            <Text reader={reader} id={id} quote={quote} />
          </Suspense>
        </DocumentPages>
      )}
    </DocumentView>
  );
}

async function Text({ reader, id, quote }: { reader: Reader; id: string; quote: KbQuote | null }) {
  const look = quote?.char_start == null ? { from: 0 } : { around: quote.char_start };
  return <TextReader first={await readText(reader, { id, look })} look={look} quote={quote} />;
}
