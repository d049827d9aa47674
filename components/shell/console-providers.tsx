"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { AppError } from "@/lib/errors";
import { useTheme } from "./theme";

// Toasts only follow actions, so the code loads after the page.
const Toaster = lazy(async () => ({ default: (await import("sonner")).Toaster }));

const RETRIES = 2;

export function ConsoleProviders({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  const [theme] = useTheme();
  return (
    <QueryClientProvider client={client}>
      {children}
      <Suspense>
        <Toaster
          theme={theme}
          // At the bottom, a toast would cover Send and Save.
          position="top-center"
          offset="4rem"
          mobileOffset="4rem"
          toastOptions={{
            unstyled: true,
            classNames: {
              toast:
                "flex w-full items-center gap-2.5 rounded-md border bg-raised p-3 font-sans text-ink text-sm shadow-lg",
              error: "text-danger",
            },
          }}
        />
      </Suspense>
    </QueryClientProvider>
  );
}

function createClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: redirectWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && !isClientError(error),
      },
    },
  });
}

/** Retrying a client error would fail again. */
function isClientError(error: Error): boolean {
  return error instanceof AppError && error.status < 500;
}

function redirectWhenSignedOut(error: Error): void {
  if (error instanceof AppError && error.code === "missing_session") {
    const { pathname, search } = window.location;
    window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(pathname + search)}`);
  }
}
