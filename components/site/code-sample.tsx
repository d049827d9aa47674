"use client";

import { useSyncExternalStore } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { curlSample, pythonSample, typescriptSample } from "./samples";

const LOCAL = "http://localhost:3000";

/** The same request in three languages, against the address this page came from. */
export function CodeSample() {
  const origin = useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => LOCAL,
  );
  const tabs = [
    { id: "curl", label: "curl", code: curlSample(origin) },
    { id: "python", label: "Python", code: pythonSample(origin) },
    { id: "typescript", label: "TypeScript", code: typescriptSample(origin) },
  ].map(({ id, label, code }) => ({
    id,
    label,
    content: <CodeBlock name={label} code={code} />,
  }));
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="font-medium text-base">The client you already use</h2>
      <Tabs label="Language" tabs={tabs} />
    </section>
  );
}
