import { CopyButton } from "./copy-button";
import { HighlightedCode } from "./highlighted-code";

interface CodeBlockProps {
  /** What the code is, such as "curl". */
  name: string;
  code: string;
  /** Such as "python". Without it, or with one that isn't known, the code has no colors. */
  language?: string;
}

/** Code with a copy button. Long lines wrap, so that everything is visible on a phone. */
export function CodeBlock({ name, code, language }: CodeBlockProps) {
  return (
    <div className="min-w-0 rounded-md border bg-sunken">
      <div className="flex items-center justify-between border-b py-1.5 pr-1.5 pl-3">
        <span className="text-muted text-xs">{name}</span>
        <CopyButton text={code} label={`Copy ${name}`} />
      </div>
      <pre className="whitespace-pre-wrap p-3 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
        <code>{language ? <HighlightedCode code={code} language={language} /> : code}</code>
      </pre>
    </div>
  );
}
