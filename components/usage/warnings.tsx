import { TriangleAlert } from "lucide-react";
import { Section } from "./section";

/** What each warning means. An answer with one was given all the same. */
const WARNINGS: Record<string, string> = {
  retrieval_unavailable: "Retrieval could not run, so the answer was given without sources.",
  verification_unavailable:
    "The model that checks claims could not be asked, so rules checked some of them instead.",
  insufficient_scope: "The key may not read what was asked for, so the answer has no sources.",
  invalid_request: "The search could not be run as it was asked for.",
};

/** The warnings that came with the answer, by code. */
export function Warnings({ codes }: { codes: readonly string[] }) {
  return (
    codes.length > 0 && (
      <Section title="Warnings">
        <ul className="grid gap-2 rounded-lg bg-warning-soft px-4 py-3">
          {[...new Set(codes)].map((code) => (
            <li key={code} className="flex gap-2.5">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
              <span className="min-w-0">
                <code className="break-all font-medium font-mono text-xs">{code}</code>
                {WARNINGS[code] && <span className="block">{WARNINGS[code]}</span>}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    )
  );
}
