import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readResources } from "@/components/docs/api/openapi";
import { ResourceView } from "@/components/docs/api/resource-view";

interface ResourcePageProps {
  params: Promise<{ resource: string }>;
}

// All pages are generated at build time; any other slug is a 404.
export const dynamicParams = false;

export function generateStaticParams() {
  return readResources().map(({ slug }) => ({ resource: slug }));
}

async function findResource({ params }: ResourcePageProps) {
  const { resource } = await params;
  return readResources().find(({ slug }) => slug === resource) ?? null;
}

export async function generateMetadata(props: ResourcePageProps): Promise<Metadata> {
  const resource = await findResource(props);
  if (!resource) {
    return {};
  }
  const { name } = resource;
  const description = `${name} in Footnote’s API: fields, limits, errors and responses, with code in curl, Python, TypeScript and Go.`;
  return { title: `${name} API reference`, description };
}

export default async function ResourcePage(props: ResourcePageProps) {
  const resource = await findResource(props);
  if (!resource) {
    notFound();
  }
  return <ResourceView resource={resource} />;
}
