insert into escalation_policies (id, workspace_id, name, steps, repeats, is_default, created_at) values
  (@policy@, @workspace@, 'Everybody', '[]', 1, true, now());
