import type { ReactNode } from "react";
import { ContentBoundary } from "./content-boundary";

/**
 * How long a page waits for its content before it shows a skeleton. React keeps one up for 300 ms, so content that is there
 * sooner would flash it and be late.
 */
const GRACE_MS = 120;

interface PageContentProps {
  /** What an async component returns, called as a function, so that it has begun before it's rendered. */
  view: Promise<Awaited<ReactNode>>;
  skeleton: ReactNode;
}

/** The content of a page, or its skeleton while the content takes more than a moment. */
export async function PageContent({ view, skeleton }: PageContentProps) {
  const ready = await Promise.race([view, afterGrace()]);
  // What is ready needs no boundary: React sends a large page in parts and would show the skeleton until the last one.
  return (
    <ContentBoundary isReady={ready !== undefined} skeleton={skeleton}>
      {ready ?? view}
    </ContentBoundary>
  );
}

function afterGrace(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, GRACE_MS));
}
