import { useSyncExternalStore } from "react";
import { LOCAL_ADDRESS } from "./local-address";

/** The address this page came from; in the page as it is sent, the one of a local start. */
export function useOrigin(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => LOCAL_ADDRESS,
  );
}
