-- Servers of the previous version can keep running: they need none of this.
--
-- A completion writes a hold, a usage record and a ledger entry. What these cost beyond the rows themselves:
--
-- Each row's reference to its account was checked by a query of its own. Holds and usage records are written only by
-- functions that have locked the account's row, and an account with either is never deleted. The ledger keeps its reference.
ALTER TABLE hold DROP CONSTRAINT hold_account_id_fkey;
ALTER TABLE usage_record DROP CONSTRAINT usage_record_account_id_fkey;

-- It only served the deletion of an account. Closing a hold adds to every index of the table.
DROP INDEX hold_account_id_idx;
