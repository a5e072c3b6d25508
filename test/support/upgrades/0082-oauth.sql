insert into oauth_clients (id, name, redirect_uris, created_at) values
  (gen_random_uuid(), 'Editor', '{https://editor.example/callback}', now());
insert into oauth_codes (hash, registration_id, redirect_uri, challenge, expires_at) values
  (sha256('oauth code'), @agent@, 'https://editor.example/callback', repeat('x', 43), now() + interval '1 minute');
insert into oauth_refresh_tokens (hash, registration_id, created_at, expires_at) values
  (sha256('refresh token'), @agent@, now(), now() + interval '90 days');
insert into oauth_device_codes (hash, user_code_hash, client_id, scopes, expires_at) values
  (sha256('device code'), sha256('user code'), 'https://editor.example/client.json', '{read}', now());
