"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { CreatedKey } from "@/lib/keys/schema";
import type { ModelChoice } from "./key-fields";
import { sampleCall } from "./sample-call";

interface SecretStepProps {
  created: CreatedKey;
  models: ModelChoice[];
  onDone: () => void;
}

/** The one time a secret is seen. */
export function SecretStep({ created: { key, secret }, models, onDone }: SecretStepProps) {
  useAskBeforeLeaving();
  const curl = sampleCall({
    key,
    secret,
    origin: window.location.origin,
    defaultModel: models.find(({ isDefault }) => isDefault)?.id ?? "",
  });
  return (
    <>
      <DialogBody>
        <section aria-label="Secret" className="grid gap-2">
          <h3 className="font-medium">{key.name}</h3>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-accent bg-accent-soft p-2 pl-3">
            <code className="min-w-0 break-all font-mono text-xs leading-5">{secret}</code>
            <CopyButton text={secret} label="Copy key" autoFocus />
          </div>
        </section>
        {curl && (
          <section className="grid gap-2">
            <h3 className="font-medium">Try it</h3>
            <CodeBlock name="curl" code={curl} />
          </section>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          I have saved it
        </Button>
      </DialogFooter>
    </>
  );
}

/** A reload would lose the secret, so the browser asks first. */
function useAskBeforeLeaving(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}
