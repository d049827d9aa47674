"use client";

import { Check, Copy, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";

const SHOWN_MS = 2000;

const OUTCOMES = {
  copied: { icon: Check, className: "text-success", message: "Copied" },
  failed: {
    icon: TriangleAlert,
    className: "text-danger",
    message: "Couldn’t copy. Select the text and copy it.",
  },
};

interface CopyButtonProps {
  text: string;
  label: string;
  autoFocus?: boolean;
}

export function CopyButton({ text, label, autoFocus }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES | null>(null);
  const copy = async () => {
    const next = await navigator.clipboard.writeText(text).then(
      () => "copied" as const,
      () => "failed" as const,
    );
    setOutcome(next);
    setTimeout(() => setOutcome(null), SHOWN_MS);
  };
  const { icon: Icon, className, message } = OUTCOMES[outcome ?? "copied"];
  return (
    <>
      <Button size="sm" onClick={copy} autoFocus={autoFocus}>
        {outcome ? <Icon aria-hidden className={className} /> : <Copy aria-hidden />}
        {outcome === "copied" ? "Copied" : label}
      </Button>
      <span role="status" className="sr-only">
        {outcome && message}
      </span>
    </>
  );
}
