"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { SIGNED_OUT } from "@/lib/auth/client";
import { takePiece } from "./answer";
import { ask } from "./ask";
import {
  newTurn,
  type PlaygroundState,
  restoreConversation,
  stopTurns,
  type Turn,
} from "./conversation";
import { newSettings } from "./settings";

const KEY = "footnote:playground";
const KEEP_AFTER_MS = 300;
/** The local-storage message next-auth sends to other tabs. */
const AUTH_MESSAGE = "nextauth.message";

/** What the page shows before hydration, and a new conversation. */
export function initialState(defaultModel: string): PlaygroundState {
  return { settings: newSettings(defaultModel), turns: [], draft: "" };
}

/**
 * One member's conversation in one tab. It is kept in memory to survive navigation, and in session storage to
 * survive a reload.
 */
class PlaygroundStore {
  #state: PlaygroundState;
  #request: AbortController | null = null;
  #frame: number | null = null;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #isForgotten = false;
  #count = 0;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly owner: string,
    defaultModel: string,
  ) {
    const initial = initialState(defaultModel);
    const saved = withStorage((storage) => storage.getItem(KEY));
    this.#state = restoreConversation(saved, owner, initial.settings) ?? initial;
    window.addEventListener(SIGNED_OUT, () => this.forget());
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === AUTH_MESSAGE && newValue?.includes('"signout"')) {
        this.forget();
      }
    });
  }

  readonly read = (): PlaygroundState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(change: Partial<PlaygroundState>): void {
    this.#state = { ...this.#state, ...change };
    this.#notify();
    // Debounced: typing changes the draft on every key press.
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#keep(), KEEP_AFTER_MS);
  }

  /** Sends the message. Does nothing while an answer is in progress or when the message is blank. */
  async send(question: string): Promise<void> {
    if (this.#request || !question.trim()) {
      return;
    }
    const { turns, settings } = this.#state;
    this.#count += 1;
    const turn = newTurn(`${Date.now()}-${this.#count}`, question, { turns, settings });
    this.change({ turns: [...turns, turn] });
    await this.#run(turn);
  }

  /** Repeats a turn's question with the current settings and the earlier turns. */
  async retry(id: string): Promise<void> {
    const turn = this.#state.turns.find((one) => one.id === id);
    if (turn && !this.#request) {
      this.change({ turns: this.#state.turns.filter((one) => one.id !== id) });
      await this.send(turn.question);
    }
  }

  /** Takes a question and everything after it back, and puts the question into the draft. */
  edit(id: string): void {
    const turn = this.#state.turns.find((one) => one.id === id);
    if (turn && !this.#request) {
      this.change({ turns: this.#before(id), draft: turn.question });
    }
  }

  /** Asks a question again with the current settings, and drops everything after it. */
  async regenerate(id: string): Promise<void> {
    const turn = this.#state.turns.find((one) => one.id === id);
    if (turn && !this.#request) {
      this.change({ turns: this.#before(id) });
      await this.send(turn.question);
    }
  }

  /** Removes a question and its answer, so that later requests don't contain them. Returns a function that restores them. */
  remove(id: string): () => void {
    const at = this.#state.turns.findIndex((one) => one.id === id);
    const removed = this.#state.turns.slice(at, at + 1);
    this.change({ turns: this.#state.turns.toSpliced(at, removed.length) });
    return () => this.change({ turns: this.#state.turns.toSpliced(at, 0, ...removed) });
  }

  #before(id: string): readonly Turn[] {
    const { turns } = this.#state;
    return turns.slice(
      0,
      turns.findIndex((one) => one.id === id),
    );
  }

  stop(): void {
    this.#request?.abort();
  }

  /** Clears the conversation. Returns a function that restores it. */
  clear(): () => void {
    const { turns } = this.#state;
    this.stop();
    this.change({ turns: [] });
    return () => this.change({ turns: [...stopTurns(turns), ...this.#state.turns] });
  }

  /** Deletes everything after sign-out. */
  forget(): void {
    this.stop();
    clearTimeout(this.#keeping);
    this.#isForgotten = true;
    this.#state = { ...this.#state, turns: [], draft: "" };
    withStorage((storage) => storage.removeItem(KEY));
    this.#notify();
  }

  async #run({ id, preset, request: body }: Turn): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const failure = await ask({
      preset,
      body,
      signal: request.signal,
      onOpen: (requestId) =>
        this.#update(id, ({ answer }) => ({ answer: { ...answer, requestId } })),
      onPiece: (piece) =>
        this.#update(id, ({ answer }) => ({ answer: takePiece(answer, piece, elapsed()) })),
    });
    this.#request = null;
    const ended = request.signal.aborted ? "stopped" : "done";
    this.#update(id, ({ answer }) => ({
      state: failure ? "failed" : ended,
      failure,
      answer: { ...answer, totalMs: elapsed() },
    }));
    if (failure?.code === "missing_session") {
      this.forget();
      window.location.assign("/sign-in?callbackUrl=/playground");
    }
    this.#keep();
    this.#notify();
  }

  /** Chunks arrive faster than the screen refreshes, so they render once per frame. */
  #update(id: string, change: (turn: Turn) => Partial<Turn>): void {
    const turns = this.#state.turns.map((turn) =>
      turn.id === id ? { ...turn, ...change(turn) } : turn,
    );
    this.#state = { ...this.#state, turns };
    this.#frame ??= requestAnimationFrame(() => this.#notify());
  }

  #notify(): void {
    if (this.#frame !== null) {
      cancelAnimationFrame(this.#frame);
      this.#frame = null;
    }
    for (const listener of this.#listeners) {
      listener();
    }
  }

  #keep(): void {
    if (this.#isForgotten) {
      return;
    }
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ owner: this.owner, ...this.#state }));
    } catch {
      // Storage is disabled or full: the conversation lasts until the next reload.
      withStorage((storage) => storage.removeItem(KEY));
    }
  }
}

/** Null when storage is disabled. */
function withStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

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

interface Playground {
  store: PlaygroundStore | null;
  initial: PlaygroundState;
}

export const PlaygroundContext = createContext<Playground | null>(null);

/** The conversation, its actions, and whether an answer is in progress. */
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
  return { state, store, isBusy: state.turns.at(-1)?.state === "waiting" };
}
