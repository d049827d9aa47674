import { useSyncExternalStore } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { firstCalls } from "./first-call";

/** A request to copy and run. */
export function CallSamples({ secret, model }: { secret: string | null; model: string }) {
  const origin = useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => "",
  );
  const tabs = firstCalls({ secret, origin, model }).map(({ code, language, ...tab }) => ({
    ...tab,
    content: <CodeBlock code={code} language={language} />,
  }));
  return (
    <section aria-labelledby="call" className="grid gap-2.5">
      <h2 id="call" className="font-medium text-base">
        2. Run this
      </h2>
      <Tabs label="Language" tabs={tabs} />
    </section>
  );
}
