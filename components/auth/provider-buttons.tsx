"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { signInWithProvider } from "@/lib/auth/client";

interface ProviderButtonsProps {
  providers: { id: string; name: string }[];
  path: string;
}

/** Signing in with an account elsewhere. Nothing where no provider is configured. */
export function ProviderButtons({ providers, path }: ProviderButtonsProps) {
  const [pending, setPending] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  if (providers.length === 0) {
    return null;
  }
  const leave = (id: string, name: string) => {
    setPending(id);
    setFailed(null);
    signInWithProvider(id, path).catch(() => {
      setPending(null);
      setFailed(`${name} could not be reached. Try again, or use your e-mail and password.`);
    });
  };
  return (
    <div className="grid gap-2">
      {providers.map(({ id, name }) => (
        <Button key={id} size="lg" isPending={pending === id} onClick={() => leave(id, name)}>
          Continue with {name}
        </Button>
      ))}
      <FormError message={failed} />
      <p className="mt-2 text-center text-muted text-xs">or with e-mail and password</p>
    </div>
  );
}
