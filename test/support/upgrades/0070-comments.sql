insert into incident_comments (id, incident_id, author, author_kind, body, created_at) values
  (@comment@, @outage@, 'Olga', 'person', 'The disk was full.', now());
