import { cn } from "@/lib/cn";
import { CopyButton } from "./copy-button";
import { HighlightedCode } from "./highlighted-code";

interface CodeBlockProps {
  /** What the code is, such as "curl". Left out in a tab that names it already. */
  name?: string;
  code: string;
  /** Such as "python". Without it, or with one that isn't known, the code has no colors. */
  language?: string;
}

/** Code with a copy button. Long lines wrap, so that everything is visible on a phone. */
export function CodeBlock({ name, code, language }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-md border bg-sunken">
      {name ? (
        <div className="flex items-center justify-between border-b py-1.5 pr-1.5 pl-3">
          <span className="text-muted text-xs">{name}</span>
          <CopyButton text={code} label={`Copy ${name}`} />
        </div>
      ) : (
        <div className="absolute top-2 right-2">
          <CopyButton text={code} label="Copy" />
        </div>
      )}
      <pre
        className={cn(
          "whitespace-pre-wrap p-3 font-mono text-xs leading-5 [overflow-wrap:anywhere]",
          // No line runs below the button.
          !name && "pt-11 sm:pt-3 sm:pr-24",
        )}
      >
        <code>{language ? <HighlightedCode code={code} language={language} /> : code}</code>
      </pre>
    </div>
  );
}
