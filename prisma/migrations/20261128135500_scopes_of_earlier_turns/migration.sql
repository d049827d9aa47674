-- A stored answer is readable only with the scopes of every earlier answer that its messages repeat. Where these came from wasn't
-- recorded, so it takes every scope that its key can have searched; of a key that is gone, every scope that its person allows.
-- Servers of the previous version can keep running, but what they still store has the scopes of its own search only.
ALTER TABLE stored_completion DISABLE TRIGGER stored_completion_immutable;
UPDATE stored_completion s
   SET knowledge_scopes = ARRAY(
         SELECT unnest(s.knowledge_scopes)
          UNION
         SELECT unnest(coalesce(
           (SELECT k.knowledge_scopes FROM api_key k WHERE k.id = s.key_id AND k.account_id = s.account_id),
           CASE WHEN s.person_id IS NULL THEN ARRAY['public_kb', 'customer_kb']
                ELSE ARRAY['public_kb', 'customer_kb', 'personal_kb'] END)))
 WHERE s.knowledge_scopes IS NOT NULL
   -- Messages that jsonb can't hold are the text of their JSON.
   AND (jsonb_typeof(s.messages) = 'string'
        OR jsonb_path_exists(s.messages, '$[*] ? (!(@.role == "system" || @.role == "developer" || @.role == "user"))'));
ALTER TABLE stored_completion ENABLE TRIGGER stored_completion_immutable;
