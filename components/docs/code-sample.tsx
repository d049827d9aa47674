import { highlight } from "fumadocs-core/highlight";
import { CodeFrame } from "./code-frame";
import { CodeTab, CodeTabs } from "./code-tabs";
import { HIGHLIGHTING } from "./code-theme";

export interface Sample {
  label: string;
  /** As Shiki calls it, such as "bash". */
  language: string;
  code: string;
}

/** Code in one or more languages, highlighted on the server. */
export async function CodeSample({ samples }: { samples: readonly Sample[] }) {
  const blocks = await Promise.all(
    samples.map(async ({ label, language, code }) => ({
      label,
      block: await highlight(code, {
        ...HIGHLIGHTING,
        lang: language,
        components: { pre: ({ children }) => <CodeFrame name={label}>{children}</CodeFrame> },
      }),
    })),
  );
  const [only] = blocks;
  if (blocks.length === 1) {
    return only?.block;
  }
  return (
    <CodeTabs languages={blocks.map(({ label }) => label)}>
      {blocks.map(({ label, block }) => (
        <CodeTab key={label} value={label}>
          {block}
        </CodeTab>
      ))}
    </CodeTabs>
  );
}
