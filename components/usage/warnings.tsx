import { TriangleAlert } from "lucide-react";
import { Section } from "./section";

/** What each warning means. An answer with one was given all the same. */
const WARNINGS: Record<string, string> = {
  retrieval_unavailable: "Retrieval couldn’t run, so the answer has no sources.",
  verification_unavailable: "The verification model was unavailable, so rules checked some claims.",
  insufficient_scope: "The key can’t read the requested sources, so the answer has none.",
  invalid_request: "The search request was invalid.",
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
