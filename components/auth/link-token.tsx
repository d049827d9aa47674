/** Where the script leaves the token of the link that opened the page. */
export const LINK_TOKEN = "footnoteLinkToken";

/** Without a token, the page's other scripts load at once: it can only say that the link is incomplete. */
const SCRIPT = `{const t=location.hash.slice(1);if(t){history.replaceState(null,\`\`,location.pathname);window.${LINK_TOKEN}=t}else dispatchEvent(new Event(\`pointermove\`))}`;

/**
 * Takes the token out of the address bar and the history before anything else happens: the page's other scripts may load
 * much later. The CSP allows it by hash, because the pages with tokens are prerendered.
 */
export function LinkTokenScript() {
  return <script>{SCRIPT}</script>;
}
