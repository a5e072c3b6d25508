/** Part of a statement: whether a maintenance window covers the monitor `m`; `window` names its row. */
export function coversMonitor(window: string): string {
  return `(
    ${window}.covers_all
    or exists (select from maintenance_monitors c where c.window_key = ${window}.key and c.monitor_key = m.key)
  )`
}
