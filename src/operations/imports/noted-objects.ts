// What things are set to, their secrets included, so that a later change is seen.
import { canonicalJson } from '#core/language/canonical-json.ts'
import type { Section } from '#core/projects/entries.ts'
import { toContactRecord } from '#operations/contacts/contacts.ts'
import { toMaintenanceRecord } from '#operations/maintenance.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { toPageRecord } from '#operations/status-pages/status-pages.ts'
import { listContacts } from '#store/contacts/contacts.ts'
import { openOptions } from '#store/contacts/sealed-options.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { listMaintenance } from '#store/maintenance/maintenance.ts'
import { listMonitorSettings } from '#store/projects/monitor-settings.ts'
import { listStatusPages } from '#store/status-pages/status-pages.ts'

export type Fields = Readonly<Record<string, unknown>>
export type Noted = Readonly<Record<string, string>>

/** What those of these objects that are there are set to, by their ids. */
export async function readObjects(
  context: Context,
  objects: readonly { section: Section; id: string }[],
): Promise<ReadonlyMap<string, Fields>> {
  const { caller, services, now } = context
  const { workspaceId } = caller
  const { database, secrets } = services
  const idsOf = (section: Section): string[] => objects.flatMap((each) => (each.section === section ? [each.id] : []))
  const wanted = new Set(objects.map(({ id }) => id))
  const found = new Map<string, Fields>()
  const has = (section: Section): boolean => idsOf(section).length > 0
  if (has('monitors'))
    for (const { id, status, settings } of await listMonitorSettings(database, secrets, {
      workspaceId,
      ids: idsOf('monitors'),
    }))
      found.set(id, { ...settings, paused: status === 'paused' })
  if (has('contacts'))
    for (const contact of await listContacts(database, workspaceId)) {
      const { id: _id, confirmed: _confirmed, ...fields } = toContactRecord(contact, context)
      if (wanted.has(contact.id))
        found.set(contact.id, { ...fields, secrets: openOptions(contact, secrets).secretOptions })
    }
  if (has('status_pages'))
    for (const page of await listStatusPages(database, workspaceId))
      if (wanted.has(page.id)) found.set(page.id, pageFields(toPageRecord(page, services), page.passwordHash))
  if (has('maintenance'))
    for (const window of await listMaintenance(database, { workspaceId, now })) {
      const { id, current: _current, next: _next, created_at: _at, ...fields } = toMaintenanceRecord(window, now)
      if (wanted.has(id)) found.set(id, fields)
    }
  return found
}

function pageFields(page: ReturnType<typeof toPageRecord>, password: string | null): Fields {
  const { slug, title, description, homepage, domain, theme, history, response_charts, visibility, tags } = page
  const { monitor_tags, sections } = page
  const shown = sections.map(({ name, monitors }) => ({
    name,
    monitors: monitors.map(({ monitor_id: id, name: other }) => [id, other]),
  }))
  const looks = { theme, history, response_charts, visibility, tags }
  return { slug, title, description, homepage, domain, ...looks, monitor_tags, sections: shown, password }
}

/** A signature of each field: it tells whether the field is the same, and not what it is. */
export function notedOf(fields: Fields, secrets: Secrets): Noted {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, secrets.sign(purpose, textOf(value))]))
}

/** The names of the fields that are not as they were. What was noted by a key that is not known any more counts as changed. */
export function changedSince(noted: Noted, fields: Fields, secrets: Pick<Secrets, 'isSigned'>): string[] {
  const isSame = (name: string): boolean => {
    const before = noted[name]
    return before !== undefined && name in fields && secrets.isSigned(purpose, textOf(fields[name]), before)
  }
  const names = new Set([...Object.keys(noted), ...Object.keys(fields)])
  return [...names].filter((name) => !isSame(name))
}

const purpose = 'noted of an import'

function textOf(value: unknown): string {
  return canonicalJson(value) ?? ''
}
