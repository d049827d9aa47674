/** Sent by `instrumentation-client.ts` when Next begins to load another page; its detail is the URL. */
export const NAVIGATION_START = "footnote:navigation-start";
