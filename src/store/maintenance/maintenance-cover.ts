/** One that is under way began within these: none lasts longer. */
export const longestDays = 31

/** Part of a statement: whether a window covers a monitor of a page; `window` names its row, `pageId` is SQL. */
export function coversPage(window: string, pageId: string): string {
  return `exists (
    select
    from status_monitors placed
    join monitors m on m.id = placed.monitor_id
    where placed.page_id = ${pageId}
      and m.workspace_id = ${window}.workspace_id
      and ${coversMonitor(window)}
  )`
}

/**
 * Part of a statement: whether one maintenance holds the monitor `m` at a time, or from one to another. It is known as
 * long as the times of maintenance are: 400 days.
 */
export function isInMaintenance(from: string, until: string = from): string {
  return `exists (
    select
    from maintenance_occurrences o
    join maintenance_windows w on w.key = o.window_key
    where o.starts_at <= ${from}
      and o.ends_at > ${until}
      and w.workspace_id = m.workspace_id
      and ${coversMonitor('w')}
  )`
}

/** Part of a statement: whether a maintenance window covers the monitor `m`; `window` names its row. */
export function coversMonitor(window: string): string {
  return `(
    ${window}.covers_all
    or exists (select from maintenance_monitors c where c.window_key = ${window}.key and c.monitor_key = m.key)
  )`
}
