-- compatible_from: 1

-- What people ask for is looked for before what is due.
create index software_scans_requested on software_scans (due_at) where is_requested;
