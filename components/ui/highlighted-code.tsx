"use client";

import { lazy, Suspense } from "react";

// Grammars are large, and code reads well without colors until they are here.
const Highlight = lazy(async () => ({ default: (await import("./highlight")).Highlight }));

interface HighlightedCodeProps {
  code: string;
  language: string;
}

export function HighlightedCode(props: HighlightedCodeProps) {
  return (
    <Suspense fallback={props.code}>
      <Highlight {...props} />
    </Suspense>
  );
}
