"use client";

import { useEffect, useState } from "react";

/**
 * The token in the URL's fragment, which is removed from the address bar and the history. Undefined until hydration,
 * null if there is none.
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const readToken = () => {
      const found = window.location.hash.slice(1);
      if (found) {
        window.history.replaceState(null, "", window.location.pathname);
      }
      setToken((known) => found || (known ?? null));
    };
    readToken();
    // Opening another link in the same tab only changes the fragment.
    window.addEventListener("hashchange", readToken);
    return () => window.removeEventListener("hashchange", readToken);
  }, []);
  return token;
}
