import { excerptParts } from "./excerpt";

interface QuotedExcerptProps {
  excerpt: string;
  quotes: readonly string[];
}

/** A passage's excerpt with the quoted text highlighted. */
export function QuotedExcerpt({ excerpt, quotes }: QuotedExcerptProps) {
  let at = 0;
  return (
    <blockquote className="border-l-2 pl-3 text-xs leading-5 [overflow-wrap:anywhere]">
      {excerptParts(excerpt, quotes).map(({ text, isQuoted }) => {
        const key = at;
        at += text.length;
        return isQuoted ? (
          <mark key={key} className="rounded-sm bg-accent-soft font-medium text-ink">
            {text}
          </mark>
        ) : (
          <span key={key} className="text-muted">
            {text}
          </span>
        );
      })}
    </blockquote>
  );
}
