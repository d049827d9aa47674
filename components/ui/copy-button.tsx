"use client";

import { Check, Copy, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";

const SHOWN_MS = 2000;

type Outcome = "copied" | "failed";
const SAYS = {
  copied: "Copied",
  failed: "Not copied: select the text and copy it",
};

interface CopyButtonProps {
  text: string;
  /** Names what is copied, such as "Copy key". */
  label: string;
  autoFocus?: boolean;
}

/** Copies a text and says whether that worked. */
export function CopyButton({ text, label, autoFocus }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const copy = async () => {
    const next = await navigator.clipboard.writeText(text).then(
      () => "copied" as const,
      () => "failed" as const,
    );
    setOutcome(next);
    setTimeout(() => setOutcome(null), SHOWN_MS);
  };
  return (
    <>
      <Button size="sm" onClick={copy} autoFocus={autoFocus}>
        <Face outcome={outcome} />
        {outcome === "copied" ? "Copied" : label}
      </Button>
      <span role="status" className="sr-only">
        {outcome && SAYS[outcome]}
      </span>
    </>
  );
}

function Face({ outcome }: { outcome: Outcome | null }) {
  if (outcome === "copied") {
    return <Check aria-hidden className="text-success" />;
  }
  return outcome === "failed" ? (
    <TriangleAlert aria-hidden className="text-danger" />
  ) : (
    <Copy aria-hidden />
  );
}
