/** Words of the old private vocabulary, by the standard term that replaced each. Matched in identifiers and file names. */
export const RETIRED_WORDS: Record<string, string> = {
  wall: "row-level security",
  walled: "tenant-scoped",
  lane: "batch key",
  lanes: "batcher",
  hurry: "statement timeout",
  hurried: "statement timeout",
  unhurried: "background work",
  uncrossed: "retryOnSerializationFailure",
  tape: "output buffer",
  quiet: "verbatim",
  door: "endpoint",
  doors: "endpoints",
  deed: "audit event",
  deeds: "audit events",
  glimpse: "summary",
  stray: "orphaned",
  face: "view state",
  faces: "view states",
  told: "reported",
  hung: "disconnected",
  stranger: "anonymous",
  strangers: "anonymous",
  unheard: "orphaned",
  decoy: "dummy",
  wishes: "options",
  neutralise: "escape",
};

/** Prefixes and suffixes that have a standard form: Intl's `format…`, and `…_LABELS`. */
export const RETIRED_FORMS = [/^say[A-Z]/, /_WORDS$/];

/** Legitimate uses of a retired word. */
export const LEGITIMATE = new Set(["wallTime"]);

/** Phrases that read like a translation. Matched in the text that components and pages show. */
export const RETIRED_PHRASES =
  /\b(?:no more be|works no more|for ever|whoever|reckon(?:ed)?|hung up|hangs up|word for word|e-mails?)\b/i;

/** Files that still use a retired name or phrase. This list may only shrink. */
export const REMAINING: Record<string, string[]> = {
  "app/(account)/sign-in/page.tsx": ["e-mail"],
  "components/auth/forgot-password-form.tsx": ["E-mail", "e-mail", "whoever"],
  "components/auth/join-form.tsx": ["whoever", "works no more"],
  "components/auth/provider-buttons.tsx": ["e-mail"],
  "components/auth/reset-password-form.tsx": ["works no more"],
  "components/auth/sign-in-form.tsx": ["E-mail", "e-mail"],
  "components/auth/sign-up-form.tsx": ["E-mail"],
  "components/billing/checkout-notice.tsx": ["FaceKind", "face", "faceOf"],
  "components/billing/checkout-view-state.ts": ["CheckoutFace", "FACES", "FaceKind", "faceOf"],
  "components/citations/source-card.tsx": ["Face", "FaceProps"],
  "components/documents/document-facts.tsx": ["told"],
  "components/documents/document-row.tsx": ["JobGlimpse"],
  "components/documents/document-work.tsx": ["JobGlimpse"],
  "components/documents/no-document.tsx": ["whoever"],
  "components/documents/upload-row.tsx": ["UploadFace", "face", "faceOf"],
  "components/documents/upload-view-state.ts": [
    "UploadFace",
    "faceOf",
    "faceOfJob",
    "word for word",
  ],
  "components/documents/use-job.ts": ["JobGlimpse"],
  "components/documents/document-view.tsx": ["JobGlimpse"],
  "components/documents/job-progress.tsx": ["JobGlimpse"],
  "components/keys/create-key-dialog.tsx": ["SECRET_WORDS"],
  "components/keys/rotate-dialog.tsx": ["OVERLAP_WORDS", "Whoever"],
  "components/overview/panels.tsx": ["hungUp", "hung_up_requests"],
  "components/playground/ask.ts": ["DOOR"],
  "components/settings/activity-labels.ts": ["DEEDS"],
  "components/settings/delete-dialog.tsx": ["e-mail", "for ever"],
  "components/settings/invite-dialog.tsx": ["E-mail", "Whoever"],
  "components/settings/labels.ts": ["for ever"],
  "components/settings/password-section.tsx": ["e-mail"],
  "components/settings/profile-section.tsx": ["E-mail"],
  "components/settings/retention-section.tsx": ["For ever", "for ever", "whoever"],
  "components/shell/palette/palette.tsx": ["Face"],
  "components/ui/copy-button.tsx": ["Face"],
  "components/usage/labels.ts": ["HUNG_UP"],
  "lib/billing/write/async-commit.ts": ["_lane"],
  "lib/billing/write/hold.ts": ["UNHEARD_MS", "_lane"],
  "lib/chat/metering.ts": ["HUNG_UP"],
  "lib/citations/markers.ts": ["#quiet", "#tape", "quiet", "tape"],
  "lib/citations/markers/marker-run.ts": ["quiet", "tape"],
  "lib/citations/markers/verbatim-scanner.ts": ["tape"],
  "lib/documents/library-schema.ts": ["JobGlimpse"],
  "lib/documents/write/sweep.ts": ["stray"],
  "lib/extractive/phrasing.ts": ["told"],
  "lib/extractive/question.ts": ["told"],
  "lib/usage/client.ts": ["door"],
  "lib/usage/read/overview.ts": ["hung_up", "hung_up_requests"],
  "lib/usage/schema.ts": ["hung_up_requests"],
};
