"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { signInWithProvider } from "@/lib/platform/auth/client";

interface ProviderButtonsProps {
  providers: { id: string; name: string }[];
  path: string;
}

/** Buttons for signing in with OAuth. Renders nothing if no provider is configured. */
export function ProviderButtons({ providers, path }: ProviderButtonsProps) {
  const [pending, setPending] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  if (providers.length === 0) {
    return null;
  }
  const signIn = (id: string, name: string) => {
    setPending(id);
    setFailed(null);
    signInWithProvider(id, path).catch(() => {
      setPending(null);
      setFailed(`${name} couldn’t be reached. Try again, or use your email and password.`);
    });
  };
  return (
    <div className="grid gap-2">
      {providers.map(({ id, name }) => (
        <Button key={id} size="lg" isPending={pending === id} onClick={() => signIn(id, name)}>
          Continue with {name}
        </Button>
      ))}
      <FormError message={failed} />
      <p className="mt-2 text-center text-muted text-xs">or use your email and password</p>
    </div>
  );
}
