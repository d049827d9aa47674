-- Distributes the tables by account over a Citus cluster; docs/scaling.md#citus-by-account explains each.
-- Never run on Citus; tests/account-keys.test.ts checks the schema's keys against its requirements. Run it once, after the
-- migrations, with the servers stopped, and not in one transaction: Citus rejects that for tables that refer to reference
-- tables.
--   psql -v ON_ERROR_STOP=1 -f deploy/sql/citus.sql
CREATE EXTENSION IF NOT EXISTS citus;

-- A reference table can't have a foreign key to a distributed one. Footnote deletes the dependents of an account or a key itself,
-- so only the second line of defense is lost.
ALTER TABLE member DROP CONSTRAINT member_account_id_fkey;
ALTER TABLE invitation DROP CONSTRAINT invitation_account_id_fkey;
ALTER TABLE key_secret DROP CONSTRAINT key_secret_key_id_account_id_fkey;
ALTER TABLE checkout_session DROP CONSTRAINT checkout_session_account_id_fkey;
ALTER TABLE payment DROP CONSTRAINT payment_account_id_fkey;
ALTER TABLE shared_link DROP CONSTRAINT shared_link_account_id_fkey;

-- It deletes from another table, which Citus doesn't support: closing an account would have to delete them.
DROP TRIGGER collection_delete_document_frequencies ON collection;

-- Citus rejects policies with a subquery, which reads the tenant or another table. Without them a tenant can't reach these
-- tables, so the servers need ROW_SECURITY=false.
DROP POLICY tenant_isolation ON account;
DROP POLICY tenant_isolation ON api_key;
DROP POLICY tenant_isolation ON audit_event;
DROP POLICY tenant_isolation ON audit_subject;
DROP POLICY tenant_isolation ON checkout_session;
DROP POLICY tenant_isolation ON chunk;
DROP POLICY tenant_isolation ON chunk_vector;
DROP POLICY tenant_isolation ON collection;
DROP POLICY tenant_isolation ON document;
DROP POLICY tenant_isolation ON document_frequency;
DROP POLICY tenant_isolation ON document_page;
DROP POLICY tenant_isolation ON document_tombstone;
DROP POLICY tenant_isolation ON document_upload;
DROP POLICY tenant_isolation ON hold;
DROP POLICY tenant_isolation ON invitation;
DROP POLICY tenant_isolation ON job;
DROP POLICY tenant_isolation ON key_secret;
DROP POLICY tenant_isolation ON key_spend;
DROP POLICY tenant_isolation ON ledger_entry;
DROP POLICY tenant_isolation ON member;
DROP POLICY tenant_isolation ON member_identity;
DROP POLICY tenant_isolation ON member_session;
DROP POLICY tenant_isolation ON password_reset;
DROP POLICY tenant_isolation ON payment;
DROP POLICY tenant_isolation ON payment_customer;
DROP POLICY tenant_isolation ON payment_event;
DROP POLICY tenant_isolation ON payment_reversal;
DROP POLICY tenant_isolation ON person;
DROP POLICY tenant_isolation ON idempotent_request;
DROP POLICY tenant_isolation ON preset;
DROP POLICY tenant_isolation ON recognized_page;
DROP POLICY tenant_isolation ON refused_request;
DROP POLICY tenant_isolation ON shared_link;
DROP POLICY tenant_isolation ON simulated_checkout;
DROP POLICY tenant_isolation ON stored_completion;
DROP POLICY tenant_isolation ON upload;
DROP POLICY tenant_isolation ON upload_slice;
DROP POLICY tenant_isolation ON usage_record;
DROP POLICY tenant_isolation ON vector_index;
DROP POLICY tenant_isolation ON vocabulary;

-- Looked up before the account is known: by an email, a token, a hash, or a payment provider's id.
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
SELECT create_reference_table('shared_link');

-- Citus rejects triggers unless this is on. Those of api_key, ledger_entry, audit_event and stored_completion read only their own row.
SET citus.enable_unsafe_triggers TO on;
SELECT create_distributed_table('account', 'id');
SELECT create_distributed_table('person', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('api_key', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('key_spend', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('hold', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('ledger_entry', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('payment_customer', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('usage_record', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('stored_completion', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('refused_request', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('preset', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('idempotent_request', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('audit_event', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('audit_subject', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('collection', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document_upload', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document_page', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('upload', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('upload_slice', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document_tombstone', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('chunk', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('chunk_vector', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('vector_index', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('document_frequency', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('vocabulary', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('job', 'account_id', colocate_with => 'account');
SELECT create_distributed_table('recognized_page', 'account_id', colocate_with => 'account');
