-- Filters of searches and lists, by a document's attributes and its own fields.

-- ISO 639-1, of its text; null if it is unclear.
ALTER TABLE document ADD COLUMN language text;

-- What filters compare, one row for each name. A value is text that sorts as what it stands for: its first letter is the type,
-- then come true or false, the bits of a number, a time in UTC, or text as it is. lib/library/documents/filter-value.ts
-- writes the values of a filter alike. A trigger keeps the rows, so that no change of a document can forget them.
CREATE TABLE document_attribute (
    document_id   text NOT NULL,
    collection_id text NOT NULL,
    account_id    text NOT NULL,
    key           text COLLATE "C" NOT NULL,
    value         text COLLATE "C" NOT NULL,

    CONSTRAINT document_attribute_pkey PRIMARY KEY (document_id, key, account_id),
    CONSTRAINT document_attribute_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
CREATE INDEX document_attribute_collection_id_key_value_document_id_idx ON document_attribute (collection_id, key, value, document_id);

CREATE POLICY tenant_isolation ON document_attribute
    USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY public_knowledge ON document_attribute FOR SELECT USING (account_id = 'acct_public');

-- Null for what filters don't compare: null, lists, objects and texts of more than 512 characters.
CREATE FUNCTION attribute_value(p_value jsonb) RETURNS text LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
    v_text text := p_value #>> '{}';
    v_bits bigint;
BEGIN
    CASE jsonb_typeof(p_value)
        WHEN 'boolean' THEN
            RETURN 'b' || v_text;
        WHEN 'number' THEN
            -- Bits of a negative number sort the other way round.
            v_bits := ('x' || encode(float8send(v_text::float8), 'hex'))::bit(64)::bigint;
            RETURN 'n' || lpad(to_hex(CASE WHEN v_bits < 0 THEN ~v_bits ELSE v_bits # (-9223372036854775808) END), 16, '0');
        WHEN 'string' THEN
            IF v_text ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?)?$' THEN
                BEGIN
                    RETURN 'd' || to_char(regexp_replace(v_text, '(\.\d{3})\d+', '\1')::timestamptz, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
                EXCEPTION WHEN datetime_field_overflow THEN
                    -- Such as February 30.
                END;
            END IF;
            RETURN CASE WHEN char_length(v_text) <= 512 THEN 's' || v_text END;
        ELSE
            RETURN NULL;
    END CASE;
END $$;

-- A document's own fields win over attributes of their names, also when they are null.
CREATE FUNCTION store_document_attributes(p_document document) RETURNS void LANGUAGE sql AS $$
    DELETE FROM document_attribute WHERE document_id = p_document.id AND account_id = p_document.account_id;
    INSERT INTO document_attribute (document_id, collection_id, account_id, key, value)
    SELECT p_document.id, p_document.collection_id, p_document.account_id, f.key, f.value
      FROM (SELECT e.key, attribute_value(e.value) AS value FROM jsonb_each(p_document.metadata || jsonb_build_object(
                'source_type', lower(p_document.source_type), 'title', p_document.title, 'language', p_document.language,
                'published_at', p_document.published_at, 'created_at', p_document.created_at,
                'standing', p_document.standing, 'file_name', p_document.file_name)) AS e) AS f
     WHERE f.value IS NOT NULL AND char_length(f.key) <= 100;
$$;

CREATE FUNCTION update_document_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM store_document_attributes(NEW);
    RETURN NULL;
END $$;
CREATE TRIGGER document_insert_attributes AFTER INSERT ON document
    FOR EACH ROW EXECUTE FUNCTION update_document_attributes();
CREATE TRIGGER document_update_attributes AFTER UPDATE ON document
    FOR EACH ROW
    WHEN ((OLD.metadata, OLD.source_type, OLD.title, OLD.language, OLD.published_at, OLD.standing, OLD.file_name)
          IS DISTINCT FROM
          (NEW.metadata, NEW.source_type, NEW.title, NEW.language, NEW.published_at, NEW.standing, NEW.file_name))
    EXECUTE FUNCTION update_document_attributes();

SELECT count(store_document_attributes(d)) FROM document d;
