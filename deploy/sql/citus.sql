-- Distributes the product's tables by account over a Citus cluster: what docs/scaling.md#citus-by-account says of each.
-- Never run on a Citus; tests/account-keys.test.ts holds the keys of the schema against what it asks for. Once, after the
-- migrations, with the servers stopped, and not in one transaction, because Citus refuses that for tables that refer to
-- reference tables:
--   psql -v ON_ERROR_STOP=1 -f deploy/sql/citus.sql
CREATE EXTENSION IF NOT EXISTS citus;

-- No reference may lead from a reference table to a distributed one. The product deletes what hangs on an account or a key
-- itself, so of these nothing is missing but the second wall.
ALTER TABLE member DROP CONSTRAINT member_account_id_fkey;
ALTER TABLE invitation DROP CONSTRAINT invitation_account_id_fkey;
ALTER TABLE key_secret DROP CONSTRAINT key_secret_key_id_account_id_fkey;
ALTER TABLE checkout_session DROP CONSTRAINT checkout_session_account_id_fkey;
ALTER TABLE payment DROP CONSTRAINT payment_account_id_fkey;

-- It deletes from another table, which Citus does not support: closing an account would have to take its counts away itself.
DROP TRIGGER collection_drop_term_counts ON collection;

-- Policies with a subquery are refused. Without them a tenant reaches these tables no more, so the servers need
-- ROW_SECURITY=false.
DROP POLICY own_account ON member_identity;
DROP POLICY own_account ON member_session;
DROP POLICY own_account ON password_reset;
DROP POLICY own_account ON payment_event;
DROP POLICY own_account ON payment_reversal;

-- Looked up before the account is known: by an e-mail, a token, a hash, or what a payment provider calls it.
SELECT create_reference_table('member');
SELECT create_reference_table('member_identity');
SELECT create_reference_table('member_session');
SELECT create_reference_table('password_reset');
SELECT create_reference_table('invitation');
SELECT create_reference_table('key_secret');
SELECT create_reference_table('checkout_session');
SELECT create_reference_table('simulated_checkout');
SELECT create_reference_table('payment');
SELECT create_reference_table('payment_reversal');
SELECT create_reference_table('payment_event');

-- Triggers are refused unless this says otherwise. Those of ledger_entry, audit_event and stored_completion look at the
-- row alone.
SET citus.enable_unsafe_triggers TO on;
SELECT create_distributed_table('account', 'id');
SELECT create_distributed_table('person', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('api_key', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('key_spend', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('hold', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('ledger_entry', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('usage_record', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('stored_completion', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('audit_event', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('audit_name', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('collection', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document_upload', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('deleted_document', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('chunk', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('chunk_vector', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('vector_index', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('term_frequency', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('job', 'account_id', colocate_with => 'account');
