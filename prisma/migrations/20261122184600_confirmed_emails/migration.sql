-- With mail, a member confirms the email before the first key.
ALTER TABLE member
  ADD COLUMN email_confirmed_at timestamptz(3),
  ADD COLUMN sign_up_mailed_at timestamptz(3);

-- Whoever opens the link of a mailed invitation has the email.
ALTER TABLE invitation ADD COLUMN mailed_at timestamptz(3);

-- A provider confirmed these, or they have their first key already.
UPDATE member m SET email_confirmed_at = now()
 WHERE EXISTS (SELECT 1 FROM member_identity i WHERE i.member_id = m.id)
    OR EXISTS (SELECT 1 FROM api_key k WHERE k.created_by_id = m.id AND k.purpose = 'api');
