-- Jobs run in the order of a weighted fair queue: each account's next job finishes, in virtual time, after the work that
-- the account already has waiting. Small and large files of an account are two separate flows.
ALTER TABLE job ADD COLUMN virtual_finish integer NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN is_large boolean NOT NULL DEFAULT false;

-- An upload counts its account's open jobs and looks for attempts that used up their budget.
CREATE INDEX job_open_idx ON job (account_id) WHERE status IN ('queued', 'processing');
CREATE INDEX job_too_complex_idx ON job (account_id, finished_at) WHERE error_code = 'too_complex';
