"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { LOCAL_ADDRESS } from "./local-address";
import type { Sample } from "./tree";
import { useOrigin } from "./use-origin";

/** Code to copy, in one language or several, against the address this page came from. */
export function CodeSample({ samples }: { samples: readonly Sample[] }) {
  const origin = useOrigin();
  const tabs = samples.map(({ label, code }) => ({
    id: label,
    label,
    content: <CodeBlock name={label} code={code.replaceAll(LOCAL_ADDRESS, origin)} />,
  }));
  return tabs.length > 1 ? <Tabs label="Language" tabs={tabs} /> : tabs[0]?.content;
}
