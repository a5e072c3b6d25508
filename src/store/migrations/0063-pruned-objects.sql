-- compatible_from: 1

-- Since when an object stands in the files of its project no more, and rests before it is deleted. Null while it does.
alter table project_objects
  add column pruned_at timestamptz;
