insert into project_objects (workspace_id, project, section, key, object_id) values
  (@workspace@, 'acme', 'monitors', 'shop', @shop@);
