-- Reports read an account's usage by time, and the sweep finds each account's oldest records.
CREATE INDEX "usage_record_account_id_created_at_idx" ON "usage_record"("account_id", "created_at");

-- Up to when usage records and closed holds may be gone: written with each deletion, so that the audit
-- expects neither what was swept nor, after a change of the setting, what was swept before it.
CREATE TABLE "usage_sweep" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "records_before" TIMESTAMPTZ(3),
    "holds_before" TIMESTAMPTZ(3),

    CONSTRAINT "usage_sweep_pkey" PRIMARY KEY ("id")
);

ALTER TABLE usage_sweep ADD CONSTRAINT usage_sweep_one_row CHECK (id = 1);
INSERT INTO usage_sweep (id) VALUES (1);
