"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { isWaiting, type PlaygroundState } from "./conversation";
import type { PlaygroundStore } from "./store";

interface Playground {
  /** Null on the server. */
  store: PlaygroundStore | null;
  initial: PlaygroundState;
}

export const PlaygroundContext = createContext<Playground | null>(null);

/** The conversation, its actions, a new one's state, and whether an answer is in progress. */
export function usePlayground() {
  const playground = useContext(PlaygroundContext);
  if (!playground) {
    throw new Error("Render this component inside the playground.");
  }
  const { store, initial } = playground;
  const state = useSyncExternalStore(
    store?.subscribe ?? (() => () => undefined),
    store?.read ?? (() => initial),
    () => initial,
  );
  return { state, store, initial, isBusy: isWaiting(state.turns.at(-1)) };
}
