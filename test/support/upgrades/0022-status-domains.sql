insert into status_domains_released (domain, workspace_id, released_at) values ('old.example.com', @workspace@, now());
