import type { ExternalToast } from "sonner";

/** Tells outcomes at the edge of the page. What shows them comes after the page, so it is asked for each time. */
export const toast = {
  success: (text: string) => tell("success", text),
  error: (text: string) => tell("error", text),
  message: (text: string, options: ExternalToast) => tell("message", text, options),
};

function tell(kind: "success" | "error" | "message", text: string, options?: ExternalToast): void {
  import("sonner").then(
    (sonner) => sonner.toast[kind](text, options),
    // It is part of every page; without it the page itself is still right.
    () => undefined,
  );
}
