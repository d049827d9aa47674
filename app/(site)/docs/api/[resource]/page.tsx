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
  const list = resource.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  return { title: `${resource.name} API`, description: `${list.join(", ")}.` };
}

export default async function ResourcePage(props: ResourcePageProps) {
  const resource = await findResource(props);
  if (!resource) {
    notFound();
  }
  return <ResourceView resource={resource} />;
}
