insert into identity_providers (
  workspace_id, name, issuer, client_id, client_secret, default_role, groups_claim, group_roles, is_required,
  created_at, updated_at
) values (
  @workspace@, 'Login', 'https://login.example.com', 'perigee', 'sealed', 'viewer', 'groups',
  '[{"group": "sre", "role": "member"}]', false, now(), now()
);
insert into sign_in_domains (id, workspace_id, domain, token, created_at, proven_at) values
  (@domain@, @workspace@, 'example.com', 'token', now(), now());
insert into provider_subjects (id, person_id, issuer, subject, created_at) values
  (@subject@, @olga@, 'https://login.example.com', '248289761001', now());
insert into provider_sessions (session_id, workspace_id) values (@session@, @workspace@);
