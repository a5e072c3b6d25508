insert into people."user" (id, name, email, "emailVerified") values (@olga@, 'Olga', 'olga@example.com', true);
insert into people."session" (id, "expiresAt", token, "updatedAt", "userId") values
  (@session@, now() + interval '7 days', 'session', now(), @olga@);
insert into people."account" (id, "accountId", "providerId", "userId", "updatedAt") values
  (@account@, 'olga', 'credential', @olga@, now());
insert into people."verification" (id, identifier, value, "expiresAt") values (@verification@, 'x', 'y', now());
insert into people."twoFactor" (id, secret, "backupCodes", "userId") values (@factor@, 'sealed', 'sealed', @olga@);
insert into people."passkey" (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp") values
  (@passkey@, 'key', @olga@, 'credential', 1, 'singleDevice', false);
insert into members (workspace_id, person_id, role, joined_at) values (@workspace@, @olga@, 'owner', now());
insert into invitations (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at) values
  (@invitation@, @workspace@, 'new@example.com', 'member', sha256('invitation'), 'Olga', now(), now());
insert into set_up_links (workspace_id, token_hash, expires_at) values (@neighbour@, sha256('set-up'), now());
insert into used_codes (person_id, code_hash, used_at) values (@olga@, 'hash', now());
insert into audit_entries (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_name) values
  (@audited@, @workspace@, now(), 'person', 'Olga', 'monitor.created', 'monitor', 'Shop');
