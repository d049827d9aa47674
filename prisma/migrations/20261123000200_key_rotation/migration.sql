-- A key may have more than one secret for a while: its newest, and those that were replaced until their overlap
-- ends. They are found by one look-up in the primary key; name, scopes, budget, limits and spending stay the
-- key's own, so admit_requests goes on checking the key alone: a secret that ends between the gate and the
-- admission has had its request let in, while a key that is revoked there ends all of its secrets.
CREATE TABLE "key_secret" (
    "hash" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "key_secret_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "key_secret_key_id_idx" ON "key_secret"("key_id");
ALTER TABLE "key_secret" ADD CONSTRAINT "key_secret_key_id_fkey"
    FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "key_secret" ("hash", "key_id", "last_four", "created_at", "last_used_at")
    SELECT k."hash", k."id", k."last_four", k."created_at", k."last_used_at"
      FROM "api_key" k WHERE k."purpose" = 'api';

ALTER TABLE "api_key" DROP COLUMN "hash";
