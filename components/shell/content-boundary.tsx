"use client";

import { type ReactNode, Suspense, useState } from "react";

interface ContentBoundaryProps {
  /** Whether `children` is there already. */
  isReady: boolean;
  skeleton: ReactNode;
  children: ReactNode;
}

/**
 * A page's content, with a skeleton only if it wasn't ready at first. That holds until the page is left: a refresh that is
 * slower or faster than the first load must not give the content another parent, which would mount it again.
 */
export function ContentBoundary({ isReady, skeleton, children }: ContentBoundaryProps) {
  const [hasSkeleton] = useState(!isReady);
  return hasSkeleton ? <Suspense fallback={skeleton}>{children}</Suspense> : children;
}
