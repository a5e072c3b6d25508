const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text that came from elsewhere is spelt as the ids of monitors are: PostgreSQL refuses to look for others. */
export function isMonitorId(text: string): boolean {
  return form.test(text)
}
