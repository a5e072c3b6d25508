insert into imports (id, workspace_id, source, project, file_name, actor_name, state, created_at, changed_at) values
  (@import@, @workspace@, 'uptime_kuma', 'kuma', 'kuma.db', 'Olga', 'done', now(), now());
insert into import_steps (import_id, position, section, key, name, state, content) values
  (@import@, 0, 'monitors', 'shop', 'Shop', 'made', 'sealed');
