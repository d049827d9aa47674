"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { newSettings } from "./settings";
import { type PlaygroundState, PlaygroundStore } from "./store";

let current: PlaygroundStore | null = null;

/** The member's conversation in this tab; null on the server. */
export function storeOf(member: string, defaultModel: string): PlaygroundStore | null {
  if (typeof window === "undefined") {
    return null;
  }
  if (current?.owner !== member) {
    current = new PlaygroundStore(member, defaultModel);
  }
  return current;
}

/** What the page shows before hydration. */
export function initialState(defaultModel: string): PlaygroundState {
  return { settings: newSettings(defaultModel), turns: [], draft: "" };
}

interface Playground {
  store: PlaygroundStore | null;
  initial: PlaygroundState;
}

export const PlaygroundContext = createContext<Playground | null>(null);

/** The conversation and its actions. */
export function usePlayground(): { state: PlaygroundState; store: PlaygroundStore | null } {
  const playground = useContext(PlaygroundContext);
  if (!playground) {
    throw new Error("Render this component inside the playground.");
  }
  const { store, initial } = playground;
  const state = useSyncExternalStore(
    store?.subscribe ?? never,
    store?.read ?? (() => initial),
    () => initial,
  );
  return { state, store };
}

function never(): () => void {
  return () => undefined;
}
