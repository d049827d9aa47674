import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  code: string;
  /** Names what the button copies, such as "Copy curl". */
  copyLabel: string;
}

/** Code to read and to copy. Long lines wrap, so that nothing hides on a phone. */
export function CodeBlock({ code, copyLabel }: CodeBlockProps) {
  return (
    <div className="min-w-0 rounded-md border bg-sunken p-3">
      <div className="float-right -mt-1 -mr-1 ml-2">
        <CopyButton text={code} label={copyLabel} />
      </div>
      <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">
        <code>{code}</code>
      </pre>
    </div>
  );
}
