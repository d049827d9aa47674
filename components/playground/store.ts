import { SIGNED_OUT } from "@/lib/platform/auth/client";
import { applyPiece } from "./answer";
import { ask, type Failure } from "./ask";
import {
  newConversationId,
  newTurn,
  type PlaygroundState,
  type Run,
  restoreConversation,
  runOf,
  type Side,
  stopTurns,
  type Turn,
} from "./conversation";
import { ConversationHistory, type SavedConversation } from "./history";
import { newSettings } from "./settings";

const KEY = "footnote:playground";
const PERSIST_DELAY_MS = 300;
/** The local-storage message next-auth sends to other tabs. */
const AUTH_MESSAGE = "nextauth.message";

/** What the page shows before hydration, and a new conversation. */
export function initialState(defaultModel: string): PlaygroundState {
  return { settings: newSettings(defaultModel), rival: null, id: "", turns: [], draft: "" };
}

interface Prepared extends Pick<PlaygroundState, "settings" | "rival"> {
  question: string;
  turns?: readonly Turn[];
}

/**
 * One member's conversation in one tab. It is kept in memory to survive navigation, and in session storage to
 * survive a reload.
 */
export class PlaygroundStore {
  #state: PlaygroundState;
  #request: AbortController | null = null;
  #frame: number | null = null;
  #persistTimer: ReturnType<typeof setTimeout> | undefined;
  #isForgotten = false;
  #count = 0;
  readonly history: ConversationHistory;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly owner: string,
    defaultModel: string,
  ) {
    this.history = new ConversationHistory(owner);
    const initial = initialState(defaultModel);
    const saved = withStorage((storage) => storage.getItem(KEY));
    this.#state = restoreConversation(saved, owner, initial.settings) ?? {
      ...initial,
      id: newConversationId(),
    };
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
    clearTimeout(this.#persistTimer);
    this.#persistTimer = setTimeout(() => this.#persist(), PERSIST_DELAY_MS);
  }

  /** Sends the message. Does nothing while an answer is in progress or when the message is blank. */
  async send(question: string): Promise<void> {
    if (this.#request || !question.trim()) {
      return;
    }
    const { turns, settings, rival } = this.#state;
    this.#count += 1;
    const turn = newTurn(`${Date.now()}-${this.#count}`, question, { turns, settings, rival });
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
      this.#record();
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
    this.#record();
    return () => {
      this.change({ turns: this.#state.turns.toSpliced(at, 0, ...removed) });
      this.#record();
    };
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

  /** Starts a new conversation. Returns a function that restores the old one. */
  clear(): () => void {
    const { id, turns } = this.#state;
    this.stop();
    this.change({ id: newConversationId(), turns: [] });
    return () => this.change({ id, turns: [...stopTurns(turns), ...this.#state.turns] });
  }

  /** Continues a conversation of the history. */
  open({ id, settings, rival, turns }: SavedConversation): void {
    this.stop();
    this.change({
      id,
      settings: { ...this.#state.settings, ...settings },
      rival: rival && { ...this.#state.settings, ...rival },
      turns: stopTurns(turns),
    });
  }

  /** Starts a new conversation with a question and settings, for the member to send. Returns a function that restores the old one. */
  prepare({ question, settings, rival, turns = [] }: Prepared): () => void {
    this.stop();
    const before = { ...this.#state, turns: stopTurns(this.#state.turns) };
    this.change({ id: newConversationId(), turns, draft: question, settings, rival });
    return () => this.change(before);
  }

  /** Turns the history on, with this conversation as its first. */
  startHistory(): void {
    this.history.start();
    this.#record();
  }

  #record(): void {
    if (this.#isForgotten) {
      return;
    }
    const { draft: _, ...conversation } = this.#state;
    this.history.save({ ...conversation, savedAt: Date.now() });
  }

  /** Deletes everything after sign-out. */
  forget(): void {
    this.stop();
    clearTimeout(this.#persistTimer);
    this.#isForgotten = true;
    this.#state = { ...this.#state, turns: [], draft: "" };
    withStorage((storage) => storage.removeItem(KEY));
    this.history.stop();
    this.#notify();
  }

  /** Sends a turn's request, and the one it is compared to at the same time. */
  async #run(turn: Turn): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const sides: Side[] = turn.rival ? ["main", "rival"] : ["main"];
    const failures = await Promise.all(sides.map((side) => this.#ask(turn, side, request.signal)));
    this.#request = null;
    if (failures.some((failure) => failure?.code === "missing_session")) {
      this.forget();
      window.location.assign("/sign-in?callbackUrl=/playground");
    }
    this.#persist();
    this.#record();
    this.#notify();
  }

  async #ask(turn: Turn, side: Side, signal: AbortSignal): Promise<Failure | null> {
    const { preset, request: body } = runOf(turn, side);
    const update = (change: (run: Run) => Partial<Run>) => this.#update(turn.id, side, change);
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const failure = await ask({
      preset,
      body,
      signal,
      onOpen: (requestId) => update(({ answer }) => ({ answer: { ...answer, requestId } })),
      onPiece: (piece) =>
        update(({ answer }) => ({ answer: applyPiece(answer, piece, elapsed()) })),
    });
    const ended = signal.aborted ? "stopped" : "done";
    update(({ answer }) => ({
      state: failure ? "failed" : ended,
      failure,
      answer: { ...answer, totalMs: elapsed() },
    }));
    return failure;
  }

  /** Chunks arrive faster than the screen refreshes, so they render once per frame. */
  #update(id: string, side: Side, change: (run: Run) => Partial<Run>): void {
    const turns = this.#state.turns.map((turn) => {
      if (turn.id !== id) {
        return turn;
      }
      return side === "rival" && turn.rival
        ? { ...turn, rival: { ...turn.rival, ...change(turn.rival) } }
        : { ...turn, ...change(turn) };
    });
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

  #persist(): void {
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
