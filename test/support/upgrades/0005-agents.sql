insert into agent_signing_keys (id, public_key, private_key, created_at, active_at, retired_at) values
  ('key', '{"kty": "OKP"}', 'sealed', now(), now(), now() + interval '30 days');
insert into agent_registrations (
  id, type, name, workspace_id, claim_hash, claim_expires_at, claimed_at, created_at
) values
  (@agent@, 'anonymous', 'Assistant', @workspace@, sha256('claim'), now() + interval '1 day', now(), now());
insert into agent_identities (issuer, subject, tenant, registration_id) values ('https://id.example', 's', 't', @agent@);
insert into agent_claim_attempts (registration_id, id, token_hash, code_hash, email, created_at, expires_at) values
  (@agent@, @claim@, sha256('attempt'), 'code', 'olga@example.com', now(), now() + interval '1 hour');
insert into agent_tokens (hash, registration_id, created_at, expires_at) values
  (sha256('agent token'), @agent@, now(), now() + interval '1 hour');
insert into agent_seen_assertions (issuer, jti_hash, expires_at) values ('https://id.example', sha256('jti'), now());
