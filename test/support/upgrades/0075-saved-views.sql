insert into saved_views (id, workspace_id, name, view, made_by, created_at) values
  (@view@, @workspace@, 'Down', '{}', 'Olga', now());
