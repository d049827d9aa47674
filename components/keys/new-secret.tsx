import { useEffect } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { SecretPanel } from "@/components/ui/secret-panel";
import type { CreatedKey, KeyOptions } from "@/lib/money/keys/schema";
import { sampleCall } from "./sample-call";

export const SHOWN_ONCE =
  "The secret is shown only once. Store it where only your service can read it.";

interface NewSecretProps extends Pick<KeyOptions, "models"> {
  created: CreatedKey;
  onDone: () => void;
}

/** A new secret, the only time it is visible, with a first call to try. */
export function NewSecret({ created: { key, secret }, models, onDone }: NewSecretProps) {
  useUnloadWarning();
  const curl = sampleCall({
    key,
    secret,
    origin: window.location.origin,
    defaultModel: models.find(({ isDefault }) => isDefault)?.id ?? "",
  });
  return (
    <SecretPanel
      label="Secret"
      heading={key.name}
      secret={secret}
      copyLabel="Copy key"
      doneLabel="I’ve saved it"
      onDone={onDone}
    >
      {curl && (
        <section className="grid gap-2">
          <h3 className="font-medium">Try it</h3>
          <CodeBlock name="curl" code={curl} language="bash" />
        </section>
      )}
    </SecretPanel>
  );
}

/** A reload would lose the secret, so the browser asks first. */
function useUnloadWarning(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
}
