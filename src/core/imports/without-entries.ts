import type { Section } from '#core/projects/entries.ts'
import type { ImportedFile, ImportedMaintenance, ImportedMonitor, ImportedPage, ImportNote } from './imported.ts'

type Left = { section: Section; key: string; problem: string }

/** The file without these entries, each noted as lost with its first problem, and without what others say of them. */
export function withoutEntries(file: ImportedFile, left: readonly Left[]): ImportedFile {
  const problems = new Map<string, string>()
  for (const { section, key, problem } of left) {
    const name = `${section} ${key}`
    if (!problems.has(name)) problems.set(name, problem)
  }
  const notes: ImportNote[] = []
  const stay = (section: Section) => (entry: { key: string; place: string }) => {
    const problem = problems.get(`${section} ${entry.key}`)
    if (problem !== undefined)
      notes.push({ place: entry.place, effect: 'lost', message: `It is not imported. ${problem}` })
    return problem === undefined
  }
  const contacts = file.contacts.filter(stay('contacts'))
  const monitors = file.monitors.filter(stay('monitors'))
  const keys = { contacts: new Set(contacts.map(keyOf)), monitors: new Set(monitors.map(keyOf)), notes }
  return {
    contacts,
    monitors: monitors.map((monitor) => toldMonitor(monitor, keys)),
    pages: file.pages.filter(stay('status_pages')).map((page) => shortPage(page, keys.monitors)),
    maintenance: file.maintenance.filter(stay('maintenance')).flatMap((window) => shortWindow(window, keys)),
    heartbeats: file.heartbeats.filter(({ monitorKey }) => keys.monitors.has(monitorKey)),
    notes: [...file.notes, ...notes],
  }
}

type Keys = { contacts: ReadonlySet<string>; monitors: ReadonlySet<string>; notes: ImportNote[] }

function keyOf({ key }: { key: string }): string {
  return key
}

function toldMonitor(monitor: ImportedMonitor, { contacts: known, monitors, notes }: Keys): ImportedMonitor {
  const { contacts, depends_on: parents, check_options: options } = monitor.input
  const told = contacts?.filter((key) => known.has(key)) ?? null
  const isUntold = told?.length === 0 && contacts?.length !== 0
  if (isUntold)
    notes.push({
      place: monitor.place,
      effect: 'changed',
      message: 'None of its contacts is imported. All contacts of the workspace are alerted.',
    })
  const members = options?.['member_ids']
  return {
    ...monitor,
    input: {
      ...monitor.input,
      contacts: isUntold ? null : told,
      ...(parents === undefined ? {} : { depends_on: parents.filter((key) => monitors.has(key)) }),
      ...(Array.isArray(members)
        ? { check_options: { ...options, member_ids: members.filter((key: unknown) => monitors.has(String(key))) } }
        : {}),
    },
  }
}

function shortPage(page: ImportedPage, monitors: ReadonlySet<string>): ImportedPage {
  const parts = page.input.sections?.map((part) => ({
    ...part,
    monitors: part.monitors?.filter(({ monitor_id: key }) => monitors.has(key)),
  }))
  return { ...page, input: { ...page.input, ...(parts === undefined ? {} : { sections: parts }) } }
}

/** Maintenance of nothing that arrives is none. */
function shortWindow(window: ImportedMaintenance, { monitors, notes }: Keys): ImportedMaintenance[] {
  const named = window.input.monitor_ids ?? null
  if (named === null) return [window]
  const kept = named.filter((key) => monitors.has(key))
  if (kept.length > 0 || named.length === 0) return [{ ...window, input: { ...window.input, monitor_ids: kept } }]
  notes.push({ place: window.place, effect: 'lost', message: 'It is not imported, because none of its monitors is.' })
  return []
}
