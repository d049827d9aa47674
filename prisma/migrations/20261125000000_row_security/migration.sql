-- Row-level security: a second wall behind the application's own predicates. A statement that runs for an account sees
-- and changes that account's rows alone, and reads those of the public knowledge base, which have no account.
-- The policies do nothing until the start of the app has made the role of tenants and enabled them (lib/db/row-security.ts);
-- the owner of the tables, as whom the product itself runs, is exempt. A new table of an account needs its policy here
-- too, named own_account: without one no tenant reaches it at all.

CREATE POLICY own_account ON account USING (id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON api_key USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON audit_event USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON audit_name USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON checkout_session USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON hold USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON invitation USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON job USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON ledger_entry USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON member USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON payment USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON person USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON simulated_checkout USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON stored_completion USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY own_account ON usage_record USING (account_id = current_setting('footnote.account_id', true));

CREATE POLICY own_account ON chunk USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON chunk FOR SELECT USING (account_id IS NULL);
CREATE POLICY own_account ON chunk_vector USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON chunk_vector FOR SELECT USING (account_id IS NULL);
CREATE POLICY own_account ON collection USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON collection FOR SELECT USING (account_id IS NULL);
CREATE POLICY own_account ON deleted_document USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON deleted_document FOR SELECT USING (account_id IS NULL);
CREATE POLICY own_account ON document USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON document FOR SELECT USING (account_id IS NULL);

-- What hangs on a row of another table. That one's policies hold inside these, too.
CREATE POLICY own_account ON member_identity
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY own_account ON member_session
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY own_account ON password_reset
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY own_account ON key_secret
    USING (EXISTS (SELECT FROM api_key p WHERE p.id = key_id));
CREATE POLICY own_account ON key_spend
    USING (EXISTS (SELECT FROM api_key p WHERE p.id = key_id));
CREATE POLICY own_account ON payment_event
    USING (EXISTS (SELECT FROM checkout_session p WHERE p.id = checkout_session_id));
CREATE POLICY own_account ON payment_reversal
    USING (EXISTS (SELECT FROM payment p WHERE p.reference = payment_reference));
CREATE POLICY own_account ON document_upload
    USING (EXISTS (SELECT FROM document p WHERE p.id = document_id AND p.account_id = current_setting('footnote.account_id', true)));
CREATE POLICY own_account ON term_frequency
    USING (EXISTS (SELECT FROM collection p WHERE p.id = term_frequency.collection_id AND p.account_id = current_setting('footnote.account_id', true)));
CREATE POLICY public_knowledge ON term_frequency FOR SELECT
    USING (EXISTS (SELECT FROM collection p WHERE p.id = term_frequency.collection_id AND p.account_id IS NULL));
CREATE POLICY own_account ON vector_index
    USING (EXISTS (SELECT FROM collection p WHERE p.id = vector_index.collection_id AND p.account_id = current_setting('footnote.account_id', true)));
CREATE POLICY public_knowledge ON vector_index FOR SELECT
    USING (EXISTS (SELECT FROM collection p WHERE p.id = vector_index.collection_id AND p.account_id IS NULL));

-- Read as whoever asks, so that the policies of its tables hold in it.
ALTER VIEW payment_due SET (security_invoker = true);

-- A document's chunks are counted along this index alone: a policy asks each for its account.
CREATE INDEX "chunk_document_id_account_id_idx" ON "chunk"("document_id", "account_id");
