import type { PlaygroundState } from "./conversation";

const KEY = "footnote:playground-history";
/** Older conversations are dropped. A browser stores about 5 MB for a site, and an answer with sources takes 10 to 50 kB. */
const MOST = 30;

/** A conversation that can be continued later. */
export interface SavedConversation extends Omit<PlaygroundState, "draft"> {
  /** Milliseconds since 1970. */
  savedAt: number;
}

/**
 * A member's past conversations, newest first, in this browser's local storage. Off until the member starts it, because
 * conversations may contain health information; deleted on sign-out.
 */
export class ConversationHistory {
  #saved: readonly SavedConversation[] | null;
  readonly #listeners = new Set<() => void>();

  constructor(readonly owner: string) {
    this.#saved = this.#load();
    window.addEventListener("storage", ({ key }) => {
      // Another tab changed it, or null: everything was cleared.
      if (key === KEY || key === null) {
        this.#saved = this.#load();
        this.#notify();
      }
    });
  }

  /** Null while it is off. */
  readonly read = (): readonly SavedConversation[] | null => this.#saved;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    this.#write(this.#saved ?? []);
  }

  /** Deletes everything and turns it off. */
  stop(): void {
    this.#write(null);
  }

  /** Adds or updates a conversation; one without turns is removed. Does nothing while the history is off. */
  save(conversation: SavedConversation): void {
    if (this.#saved) {
      const others = this.#saved.filter(({ id }) => id !== conversation.id);
      const first = conversation.turns.length > 0 ? [conversation] : [];
      this.#write([...first, ...others].slice(0, MOST));
    }
  }

  remove(id: string): void {
    this.#write(this.#saved?.filter((one) => one.id !== id) ?? null);
  }

  /** Keeps the history on. */
  clear(): void {
    this.#write([]);
  }

  #load(): readonly SavedConversation[] | null {
    try {
      const value = JSON.parse(localStorage.getItem(KEY) ?? "null");
      if (value?.owner === this.owner && Array.isArray(value.saved)) {
        return value.saved;
      }
      // Whoever used this browser before didn't sign out.
      localStorage.removeItem(KEY);
      return null;
    } catch {
      return null;
    }
  }

  #write(saved: readonly SavedConversation[] | null): void {
    this.#saved = saved;
    try {
      if (saved) {
        localStorage.setItem(KEY, JSON.stringify({ owner: this.owner, saved }));
      } else {
        localStorage.removeItem(KEY);
      }
    } catch {
      // Full or disabled. Without its oldest conversation the rest may fit.
      if (saved && saved.length > 1) {
        this.#write(saved.slice(0, -1));
        return;
      }
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
