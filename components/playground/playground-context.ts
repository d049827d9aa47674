"use client";

import { createContext, type RefObject, useContext, useSyncExternalStore } from "react";
import { isWaiting, type PlaygroundState } from "./conversation";
import type { PlaygroundStore } from "./store";

interface Playground {
  /** Null on the server. */
  store: PlaygroundStore | null;
  initial: PlaygroundState;
  /** The question field, which gets the focus of a button that goes away with its turn. */
  composer: RefObject<HTMLTextAreaElement | null>;
}

export const PlaygroundContext = createContext<Playground | null>(null);

/** The conversation, its actions, a new one's state, and whether an answer is in progress. */
export function usePlayground() {
  const playground = useContext(PlaygroundContext);
  if (!playground) {
    throw new Error("Render this component inside the playground.");
  }
  const { store, initial, composer } = playground;
  const state = useSyncExternalStore(
    store?.subscribe ?? (() => () => undefined),
    store?.read ?? (() => initial),
    () => initial,
  );
  return { state, store, initial, composer, isBusy: isWaiting(state.turns.at(-1)) };
}
