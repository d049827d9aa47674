"use client";

import { useEffect, useState } from "react";

/**
 * What the page's link carries after its #, which it takes out of the address bar and the history. Undefined
 * until the page has its script; null without one.
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const take = () => {
      const found = window.location.hash.slice(1);
      if (found) {
        window.history.replaceState(null, "", window.location.pathname);
      }
      setToken((known) => found || (known ?? null));
    };
    take();
    // Another link that is opened in the same tab changes nothing but this part of the address.
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return token;
}
