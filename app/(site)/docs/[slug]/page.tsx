import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocFrame } from "@/components/docs/doc-frame";
import { addressOf, findMarkdownPage, MARKDOWN_PAGES } from "@/components/docs/pages";
import { markdownComponents } from "@/components/docs/prose";
import { renderPage } from "@/components/docs/render";
import { readRepositoryFile } from "@/components/docs/source";
import { describePage, readOpening } from "@/components/docs/summaries";

interface DocPageProps {
  params: Promise<{ slug: string }>;
}

// All pages are generated at build time; any other slug is a 404.
export const dynamicParams = false;

export function generateStaticParams() {
  return MARKDOWN_PAGES.map(({ slug }) => ({ slug }));
}

export async function generateMetadata({ params }: DocPageProps): Promise<Metadata> {
  const page = findMarkdownPage((await params).slug);
  if (!page) {
    return {};
  }
  const { title } = readOpening(await readRepositoryFile(page.file));
  const types = { "text/markdown": `/docs/${page.slug}.md` };
  const description = await describePage(page);
  return { title, description, alternates: { canonical: addressOf(page), types } };
}

export default async function DocPage({ params }: DocPageProps) {
  const page = findMarkdownPage((await params).slug);
  if (!page) {
    notFound();
  }
  const { toc, Content } = await renderPage(page);
  return (
    <DocFrame url={addressOf(page)} toc={toc}>
      <Content components={markdownComponents(page.file)} />
    </DocFrame>
  );
}
