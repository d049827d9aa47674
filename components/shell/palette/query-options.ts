const DEBOUNCE_MS = 200;

export const OPTIONS = {
  // Finds what was just created; previous results stay visible meanwhile.
  staleTime: 0,
  // Typing on retries anyway, and the failure shows at once.
  retry: false,
};

/** Waits until typing stops: a newer text aborts the query of an older one. */
export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, DEBOUNCE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
