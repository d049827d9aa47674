import type { InvitationOffer } from "@/lib/platform/auth/schema";

/** Where `LINK_SCRIPT` leaves the token for `linkToken`. */
const LINK_TOKEN = "footnoteLinkToken";
/** Where `INVITATION_SCRIPT` leaves a promise of the offer for `scriptedOffer`. */
const OFFER = "footnoteInvitation";

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
    return offer;
  };
  if (token) {
    window.${OFFER} = fetch("/api/account/invitation", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    })
      .then(show)
      .catch(() => void dispatchEvent(new Event("pointermove")));
  }
}`;

/** What the script was told; undefined if it failed, or if the invitation has expired. */
export async function scriptedOffer(): Promise<InvitationOffer | undefined> {
  const { [OFFER]: offer } = window as { [OFFER]?: Promise<InvitationOffer | undefined> };
  return offer;
}

/** The token of the link that opened the page; empty without one that may work. */
export function linkToken(): string {
  const token: unknown = Reflect.get(window, LINK_TOKEN);
  return typeof token === "string" ? token : "";
}
