-- Sessions that can be ended: the cookie names a row, and is worth nothing without it.
CREATE TABLE "member_session" (
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "member_session_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "member_session_member_id_idx" ON "member_session"("member_id");
ALTER TABLE "member_session" ADD CONSTRAINT "member_session_member_id_fkey"
    FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of the links that are sent out, only hashes are kept.
CREATE TABLE "password_reset" (
    "token_hash" BYTEA NOT NULL,
    "member_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);
CREATE INDEX "password_reset_member_id_idx" ON "password_reset"("member_id");
CREATE INDEX "password_reset_expires_at_idx" ON "password_reset"("expires_at");
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_member_id_fkey"
    FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "invited_by_id" TEXT,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL CONSTRAINT "invitation_role_check" CHECK ("role" IN ('owner', 'member')),
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");
CREATE UNIQUE INDEX "invitation_account_id_email_key" ON "invitation"("account_id", "email");
CREATE INDEX "invitation_invited_by_id_idx" ON "invitation"("invited_by_id");
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_invited_by_id_fkey"
    FOREIGN KEY ("invited_by_id") REFERENCES "member"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- An account that was deleted is emptied and stays as what its ledger and payments point at.
ALTER TABLE "account" ADD COLUMN "closed_at" TIMESTAMPTZ(3);
