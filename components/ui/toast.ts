import type { ExternalToast } from "sonner";

/** Shows short messages at the edge of the page. The library loads after the page. */
export const toast = {
  success: (text: string) => show("success", text),
  error: (text: string) => show("error", text),
  message: (text: string, options: ExternalToast) => show("message", text, options),
};

function show(kind: "success" | "error" | "message", text: string, options?: ExternalToast): void {
  import("sonner").then(
    (sonner) => sonner.toast[kind](text, options),
    // If it can't be loaded, the page still works.
    () => undefined,
  );
}
