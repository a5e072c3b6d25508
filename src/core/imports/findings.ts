// What readers collect while they go through a file.
import type { z } from 'zod'
import { contactInputSchema } from '#core/contacts/contact-record.ts'
import { maintenanceInputSchema } from '#core/maintenance.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import { placeOf } from '#core/language/foreign-lists.ts'
import type {
  ImportNote,
  ImportedContact,
  ImportedFile,
  ImportedHeartbeat,
  ImportedMaintenance,
  ImportedMonitor,
  ImportedPage,
} from './imported.ts'

export type Findings = {
  changed: (place: string, message: string) => void
  lost: (place: string, message: string) => void
  /** A key of its own for each thing of a section, made of its name. */
  keyOf: (section: Section, name: string) => string
  /**
   * They take what our operations take by the rules that need no other knowledge. The rest is noted as lost with what
   * is wrong, and false returned.
   */
  addMonitor: (monitor: ImportedMonitor) => boolean
  addContact: (contact: ImportedContact) => boolean
  addPage: (page: ImportedPage) => boolean
  addMaintenance: (maintenance: ImportedMaintenance) => boolean
  addHeartbeat: (heartbeat: ImportedHeartbeat) => void
  file: () => ImportedFile
}

type Section = 'monitors' | 'contacts' | 'pages' | 'maintenance'

/** Where something stands, and to whom a note of it is told. */
export type Where = { place: string; findings: Pick<Findings, 'changed' | 'lost'> }

export function createFindings(): Findings {
  const notes: ImportNote[] = []
  const found: Found = { monitors: [], contacts: [], pages: [], maintenance: [], heartbeats: [] }
  const keys = { monitors: createKeys(), contacts: createKeys(), pages: createKeys(), maintenance: createKeys() }
  const lost: Findings['lost'] = (place, message) => notes.push({ place, effect: 'lost', message })
  const add = <Thing extends { place: string }>(things: Thing[], thing: Thing, problem: string | null): boolean => {
    if (problem === null) things.push(thing)
    else lost(thing.place, `It is not imported. ${problem}`)
    return problem === null
  }
  return {
    changed: (place, message) => notes.push({ place, effect: 'changed', message }),
    lost,
    keyOf: (section, name) => keys[section](name),
    addMonitor: (monitor) => add(found.monitors, monitor, monitorProblem(monitor.input)),
    addContact: (contact) => add(found.contacts, contact, problemOf(contactInputSchema, contact.input)),
    addPage: (page) => add(found.pages, page, pageProblem(page.input)),
    addMaintenance: (maintenance) => add(found.maintenance, maintenance, maintenanceProblem(maintenance.input)),
    addHeartbeat: (heartbeat) => found.heartbeats.push(heartbeat),
    file: () => ({ ...found, notes }),
  }
}

type Found = {
  monitors: ImportedMonitor[]
  contacts: ImportedContact[]
  pages: ImportedPage[]
  maintenance: ImportedMaintenance[]
  heartbeats: ImportedHeartbeat[]
}

/** Stands for a key where the schemas of our operations have an id. */
const anyId = '00000000-0000-4000-8000-000000000000'

function monitorProblem({
  contacts: _contacts,
  depends_on: parents = [],
  ...input
}: ImportedMonitor['input']): string | null {
  return problemOf(monitorInputSchema, { ...input, depends_on: parents.map(() => anyId) })
}

function pageProblem({ sections = [], ...input }: ImportedPage['input']): string | null {
  const filled = sections.map((section) => ({
    ...section,
    monitors: section.monitors?.map((monitor) => ({ ...monitor, monitor_id: anyId })),
  }))
  return problemOf(statusPageInputSchema, { ...input, sections: filled })
}

function maintenanceProblem({ monitor_ids: keys = null, ...input }: ImportedMaintenance['input']): string | null {
  return problemOf(maintenanceInputSchema, { ...input, monitor_ids: keys?.map(() => anyId) ?? null })
}

function problemOf(schema: z.ZodType, input: unknown): string | null {
  const parsed = schema.safeParse(input)
  if (parsed.success) return null
  const [issue] = parsed.error.issues
  return `${placeOf(issue?.path ?? [])}: ${issue?.message ?? 'Does not have the expected form.'}`
}

const maxKeyLength = 60

/** The second of a name is `name-2`. It counts on from the last of the name, so that many of one name take no longer. */
function createKeys(): (name: string) => string {
  const taken = new Set<string>()
  const last = new Map<string, number>()
  return (name) => {
    const stem = stemOf(name)
    let count = last.get(stem) ?? 0
    let key = stem
    do {
      count += 1
      key = count === 1 ? stem : `${stem}-${count}`
    } while (taken.has(key))
    last.set(stem, count)
    taken.add(key)
    return key
  }
}

function stemOf(name: string): string {
  const plain = name
    .slice(0, 4 * maxKeyLength)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxKeyLength)
    .replaceAll(/^-|-$/g, '')
  return plain === '' ? 'unnamed' : plain
}
