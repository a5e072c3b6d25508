insert into screens (id, workspace_id, name, token_hash, tags, look, created_at, created_by) values
  (@screen@, @workspace@, 'Hall', sha256('screen'), '{}', 'dark', now(), 'Olga');
