"use client";

import katex from "katex";
import { useMemo } from "react";

interface FormulaProps {
  /** LaTeX. */
  text: string;
  isDisplay: boolean;
}

/** A formula as MathML, which browsers typeset without a style sheet or fonts. What KaTeX can't read is shown as written. */
export function Formula({ text, isDisplay }: FormulaProps) {
  const markup = useMemo(() => toMathMl(text, isDisplay), [text, isDisplay]);
  if (markup === null) {
    return <code className="font-mono text-[0.85em]">{text}</code>;
  }
  return (
    <span
      className={isDisplay ? "block max-w-full overflow-x-auto py-1" : undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes all text and, untrusted, writes no links.
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}

/** Null for LaTeX that can't be read. */
export function toMathMl(text: string, isDisplay: boolean): string | null {
  try {
    return katex.renderToString(text, {
      output: "mathml",
      displayMode: isDisplay,
      strict: "ignore",
      // No links, images, classes or styles, whatever a model writes.
      trust: false,
      maxExpand: 200,
      // In em, so that a rule can't cover the page.
      maxSize: 10,
    });
  } catch {
    return null;
  }
}
