-- The owners of an account are told by mail when its balance falls below an amount they chose, once each time it does.
ALTER TABLE "account"
    ADD COLUMN "low_balance_micros" BIGINT,
    ADD COLUMN "low_balance_told_at" TIMESTAMPTZ(3),
    ADD COLUMN "low_balance_claimed_until" TIMESTAMPTZ(3),
    ADD COLUMN "low_balance_tries" INTEGER NOT NULL DEFAULT 0;

-- What Prisma's schema cannot say. The sweep reads no account without such an amount. What a request changes of its
-- account is no part of the index, so that its charge does not have to write there.
ALTER TABLE account ADD CONSTRAINT account_low_balance_positive CHECK (low_balance_micros > 0);
CREATE INDEX account_low_balance_idx ON account (id) WHERE low_balance_micros IS NOT NULL;
