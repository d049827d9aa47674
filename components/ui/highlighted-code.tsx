"use client";

import { lazy, Suspense } from "react";

// Grammars are large, and code reads well without colors until they are here.
const Highlight = lazy(async () => ({ default: (await import("./highlight")).Highlight }));

export function HighlightedCode(props: { code: string; language: string }) {
  return (
    <Suspense fallback={props.code}>
      <Highlight {...props} />
    </Suspense>
  );
}
