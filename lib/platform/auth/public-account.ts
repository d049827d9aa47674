/** The owner of the public knowledge base. A migration creates it; no one signs in to it, and it has no balance. */
export const PUBLIC_ACCOUNT_ID = "acct_public";
