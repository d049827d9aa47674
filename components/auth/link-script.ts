/** Where `LINK_SCRIPT` leaves the token for `linkToken`. */
const LINK_TOKEN = "footnoteLinkToken";

/**
 * For pages that links with a token open. Takes the token out of the address bar and the history before anything else
 * happens, or marks the document as `expired`: React loads later, when the page is used. Another link that is opened in
 * the same tab only changes the fragment. Behind the page's content: before or within it, a script lets the browser paint
 * a part of the page, which then moves.
 */
export const LINK_SCRIPT = `{
  const { pathname, hash } = location;
  if (hash.length > 1) {
    history.replaceState(null, "", pathname);
    window.${LINK_TOKEN} = hash.slice(1);
  } else {
    document.documentElement.dataset.link = "expired";
  }
  addEventListener("hashchange", () => {
    if (location.pathname === pathname && location.hash) location.reload();
  });
}`;

export const ROLE_PHRASES = { owner: "an owner", member: "a member" } as const;

/**
 * After it, on the page of an invitation: fills in the account, role and email, or marks the document as `expired`. If
 * neither is known, React loads at once, tries again and explains the failure.
 */
export const INVITATION_SCRIPT = `{
  const token = window.${LINK_TOKEN};
  const { dataset } = document.documentElement;
  const show = async (response) => {
    const { error, ...offer } = await response.json();
    if (error?.param === "token") {
      dataset.link = "expired";
      delete window.${LINK_TOKEN};
      return;
    }
    const role = ${JSON.stringify(ROLE_PHRASES)}[offer.role];
    if (!role) throw error;
    dataset.link = "open";
    for (const element of document.querySelectorAll("[data-offer]")) {
      element.textContent = { ...offer, role }[element.dataset.offer];
    }
  };
  if (token) {
    fetch("/api/account/invitation", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    })
      .then(show)
      .catch(() => dispatchEvent(new Event("pointermove")));
  }
}`;

/** The token of the link that opened the page; empty without one that may work. */
export function linkToken(): string {
  const token: unknown = Reflect.get(window, LINK_TOKEN);
  return typeof token === "string" ? token : "";
}
