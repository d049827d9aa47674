/** Consecutive failed calls; retries count. */
const FAILURES_TO_OPEN = 5;
/** The first is short: under load, a brief restart fails five calls. None is long: it may be open without need. */
const PAUSES_MS = [1000, 2000, 5000];
const MAX_PAUSE_MS = Math.max(...PAUSES_MS);

/** How a call ended; null when it says nothing about the upstream. */
export type Verdict = "working" | "failed" | null;

/** The state of a circuit, without timers: closed, or open with one probe at a time after each pause. */
export class Circuit {
  #failures = 0;
  readonly #failing = new Set<string>();
  /** Pauses since it opened; 0 while it is closed. */
  #pauses = 0;
  #pausedUntil = 0;
  #isProbing = false;
  #lastProber: string | null = null;

  /** Opens when calls of this many accounts fail in a row. */
  constructor(private readonly accountsToOpen: number) {}

  get isOpen(): boolean {
    return this.#pauses > 0;
  }

  /** Whether there is nothing to remember. */
  get isIdle(): boolean {
    return !this.isOpen && this.#failures === 0;
  }

  get secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#pausedUntil - Date.now()) / 1000));
  }

  allowsCall(): boolean {
    return !this.isOpen || (!this.#isProbing && Date.now() >= this.#pausedUntil);
  }

  /** Begins a call that is allowed. Call the result with what it showed. */
  begin(account: string): (verdict: Verdict) => void {
    if (!this.isOpen) {
      return (verdict) => this.#endCall(account, verdict);
    }
    this.#isProbing = true;
    return (verdict) => this.#endProbe(account, verdict);
  }

  /** A call that began before the circuit opened changes nothing. */
  #endCall(account: string, verdict: Verdict): void {
    if (this.isOpen || verdict === null) {
      return;
    }
    if (verdict === "working") {
      this.#close();
      return;
    }
    this.#failures += 1;
    this.#failing.add(account);
    if (this.#failures >= FAILURES_TO_OPEN && this.#failing.size >= this.accountsToOpen) {
      this.#pause();
    }
  }

  /** One account's probes in a row don't keep the others waiting. */
  #endProbe(account: string, verdict: Verdict): void {
    this.#isProbing = false;
    if (verdict === "working") {
      this.#close();
    } else if (verdict === "failed") {
      const isAnother = this.#lastProber !== account;
      this.#lastProber = account;
      if (isAnother || this.accountsToOpen === 1) {
        this.#pause();
      }
    }
  }

  #pause(): void {
    this.#pausedUntil = Date.now() + (PAUSES_MS[this.#pauses] ?? MAX_PAUSE_MS);
    this.#pauses += 1;
  }

  #close(): void {
    this.#failures = 0;
    this.#failing.clear();
    this.#pauses = 0;
    this.#lastProber = null;
  }
}
