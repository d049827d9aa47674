"use client";

import { useSyncExternalStore } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { LOCAL_ADDRESS } from "./local-address";
import type { Sample } from "./tree";

/** A code sample in one or more languages, using the page's own origin. */
export function CodeSample({ samples }: { samples: readonly Sample[] }) {
  const origin = useOrigin();
  const tabs = samples.map(({ label, code }) => ({
    id: label,
    label,
    content: <CodeBlock name={label} code={code.replaceAll(LOCAL_ADDRESS, origin)} />,
  }));
  return tabs.length > 1 ? <Tabs label="Language" tabs={tabs} /> : tabs[0]?.content;
}

/** The page's origin; the local default during server rendering. */
function useOrigin(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => LOCAL_ADDRESS,
  );
}
