import { unbroken } from "@/components/ui/unbroken";
import type { NumberDifference } from "./number-difference";

interface QuotedWordsProps {
  text: string;
  /** A number that the claim has wrong stands out. */
  difference: NumberDifference | null;
}

/** A quote, marked. */
export function QuotedWords({ text, difference }: QuotedWordsProps) {
  return (
    <mark className="bg-warning-soft box-decoration-clone text-ink">
      {difference ? (
        <>
          {unbroken(text.slice(0, difference.start))}
          <strong className="font-semibold underline decoration-2 decoration-warning underline-offset-4">
            {unbroken(text.slice(difference.start, difference.end))}
          </strong>
          {unbroken(text.slice(difference.end))}
        </>
      ) : (
        unbroken(text)
      )}
    </mark>
  );
}
