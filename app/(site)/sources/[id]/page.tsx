import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { BusySource, PublicSource } from "@/components/documents/public-source";
import { describeSource } from "@/components/documents/source-description";
import { findPublicDocument } from "@/lib/library/documents/read/public";
import { isReadingTooFast } from "@/lib/library/documents/reading-limit";
import { clientAddress } from "@/lib/platform/http/request";

interface SourcePageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ quote?: string | string[]; from?: string | string[] }>;
}

// Metadata and page read it together.
const find = cache((id: string, ref: string | null, from: number) =>
  findPublicDocument(id, { ref, from }),
);

async function read({ params, searchParams }: SourcePageProps) {
  const [{ id }, { quote, from }] = await Promise.all([params, searchParams]);
  const start = /^\d{1,9}$/.test(String(from)) ? Number(from) : 0;
  return find(id, quote === undefined ? null : String(quote), start);
}

const isRefused = cache(async () =>
  isReadingTooFast(clientAddress((await headers()).get("x-forwarded-for"))),
);

export async function generateMetadata(props: SourcePageProps): Promise<Metadata> {
  if (await isRefused()) {
    return { title: "Source", robots: { index: false } };
  }
  const found = await read(props);
  return found ? describeSource(found) : {};
}

/** A document of public_kb for anyone; every other document is not found. */
export default async function SourcePage(props: SourcePageProps) {
  if (await isRefused()) {
    return <BusySource />;
  }
  const found = await read(props);
  if (!found) {
    notFound();
  }
  return <PublicSource {...found} />;
}
