/**
 * The operator's own account, which a migration makes and nobody signs in to. The public knowledge base belongs to it:
 * what it owns, all may read. It never has money, and with it all of that would go.
 */
export const PUBLIC_ACCOUNT_ID = "acct_public";
