/** One that is under way began within these: none lasts longer. */
export const longestDays = 31

/** When a window has to cover a monitor; made of the columns `since` and `until` of `cover`, of which SQL this is. */
export type Covering = string

/** By all that is known now. */
export const atPresent: Covering = `cover.until = 'infinity'`

/** From a time to another, without a gap. */
export function throughout(from: string, until: string): Covering {
  return `(cover.since <= ${from} and cover.until > ${until})`
}

/** At some time between two. */
export function within(from: string, until: string): Covering {
  return `(cover.since < ${until} and cover.until > ${from})`
}

/** Part of a statement: whether a window covers a monitor of a page; `window` names its row, `pageId` is SQL. */
export function coversPage(window: string, pageId: string, covering = atPresent): string {
  return `exists (
    select
    from status_monitors placed
    join monitors m on m.id = placed.monitor_id
    where placed.page_id = ${pageId}
      and m.workspace_id = ${window}.workspace_id
      and ${coversMonitor(window, covering)}
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
      and ${coversMonitor('w', throughout(from, until))}
  )`
}

/** Part of a statement: whether a maintenance window covers the monitor `m`; `window` names its row. */
export function coversMonitor(window: string, covering = atPresent): string {
  return `(
    ${window}.covers_all
    or exists (
      select
      from maintenance_covers cover
      where cover.window_key = ${window}.key
        and cover.monitor_key = m.key
        and ${covering}
    )
  )`
}

/** Part of a statement, to be joined laterally: the times `since` and `until` in which a window covers the monitor `m`. */
export function coverTimes(window: string): string {
  return `(
    select timestamptz '-infinity' as since, timestamptz 'infinity' as until
    where ${window}.covers_all
    union all
    select cover.since, cover.until
    from maintenance_covers cover
    where cover.window_key = ${window}.key
      and cover.monitor_key = m.key
  )`
}
