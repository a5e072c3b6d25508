insert into status_pages (id, workspace_id, slug, domain, title, description, theme, history, response_charts, visibility)
values
  (@page@, @workspace@, 'acme', 'status.example.com', 'Acme', 'How we are doing', 'auto', '90_days', true, 'public');
insert into status_sections (page_id, position, name) values (@page@, 0, 'Shop');
insert into status_monitors (page_id, monitor_id, section, position, name) values (@page@, @shop@, 0, 0, 'The shop');
insert into status_posts (id, workspace_id, incident_id, state, body, posted_at, author) values
  (@post@, @workspace@, @outage@, 'resolved', 'It works again.', now() - interval '25 hours', 'Olga');
insert into status_subscribers (id, page_id, kind, destination, confirmed_at, created_at) values
  (@subscriber@, @page@, 'email', 'reader@example.com', now(), now());
insert into status_events (id, page_id, type, incident_id, at, told_at) values
  (@news@, @page@, 'opened', @outage@, now() - interval '26 hours', now() - interval '26 hours');
