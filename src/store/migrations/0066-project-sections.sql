-- compatible_from: 1

-- Schedules, policies, objectives and reports belong to projects too. A process of the release before knows none of
-- them: a change of a project that it serves forgets that they do, and `perigee adopt` says it again.
alter table project_objects drop constraint project_objects_section_check;
alter table project_objects add constraint project_objects_section_check
  check (
    section in (
      'contacts',
      'on_call_schedules',
      'escalation_policies',
      'monitors',
      'status_pages',
      'maintenance',
      'objectives',
      'reports'
    )
  )
  not valid;
