"use client";

import { useEffect, useState } from "react";
import { LINK_TOKEN } from "./link-token";

/**
 * The token in the URL's fragment, which `LinkTokenScript` or this hook removes from the address bar and the history.
 * Undefined until hydration, null if there is none.
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const readToken = () => {
      const found = window.location.hash.slice(1) || takeToken();
      if (window.location.hash) {
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

/** What the script found before hydration. */
function takeToken(): string {
  const token: unknown = Reflect.get(window, LINK_TOKEN);
  Reflect.deleteProperty(window, LINK_TOKEN);
  return typeof token === "string" ? token : "";
}
