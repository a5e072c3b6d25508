// What a workspace has, as the entries of a project would say it.
import { type Section, sections } from './entries.ts'
import type { ExportedMonitor, WorkspaceExport } from './export-record.ts'

/** `fields` are those of the API, with the ids of the workspace and without secrets; beside them `paused` and `enabled`. */
export type PresentEntry = {
  section: Section
  /** Of the project where it belongs to that one, else made of its name. */
  key: string
  id: string
  name: string
  fields: Readonly<Record<string, unknown>>
  /** Where secrets are set. */
  secrets: readonly (readonly string[])[]
  /** The project that it belongs to; null where to none. */
  project: string | null
  /** Since when it stands in the files of its project no more. */
  prunedAt: string | null
}

/** Seen from a project, in the order of the sections, and in each the oldest first. */
export function presentEntries(workspace: WorkspaceExport, projectId: string): PresentEntry[] {
  return sections.flatMap((section) => {
    const found = entriesOf[section](workspace)
    const owned = found.flatMap(({ project }) => (project?.id === projectId ? [project.key] : []))
    const taken = new Set(owned)
    return found.map(({ id, name, fields, secrets, project }) => {
      const key = project?.id === projectId ? project.key : keyOf(name, taken)
      const prunedAt = project?.pruned_at ?? null
      return { section, key, id, name, fields, secrets, project: project?.id ?? null, prunedAt }
    })
  })
}

type Unkeyed = Pick<PresentEntry, 'id' | 'name' | 'fields' | 'secrets'> & Pick<ExportedMonitor, 'project'>

const entriesOf: Readonly<Record<Section, (workspace: WorkspaceExport) => Unkeyed[]>> = {
  contacts: ({ contacts }) => contacts.map(({ confirmed: _confirmed, ...contact }) => entryOf(contact.name, contact)),
  monitors: ({ monitors }) =>
    monitors.map(({ status, ...monitor }) => entryOf(monitor.name, { ...monitor, paused: status === 'paused' })),
  status_pages: ({ status_pages: pages }) => pages.map(pageEntry),
  on_call_schedules: ({ on_call_schedules: schedules }) =>
    schedules.map(({ has_calendar: _calendar, created_at: _at, ...schedule }) => entryOf(schedule.name, schedule)),
  escalation_policies: ({ escalation_policies: policies }) =>
    policies.map((policy) => entryOf(policy.name, { ...policy, steps: livingSteps(policy.steps) })),
  maintenance: ({ maintenance }) =>
    maintenance.map(({ current: _current, next: _next, created_at: _at, ...window }) => entryOf(window.name, window)),
  objectives: ({ objectives }) =>
    objectives.map(({ created_at: _at, ...objective }) => entryOf(objective.name, objective)),
  reports: ({ reports }) =>
    reports.map(({ next_at: _next, last_sent_at: _sent, last_period: _period, created_at: _at, ...report }) =>
      entryOf(report.name, report),
    ),
}

type Steps = WorkspaceExport['escalation_policies'][number]['steps']

/**
 * Steps whose contacts and schedules are all deleted can be set by no request. They tell nobody, and the next step
 * follows at once: it waits in their place.
 */
function livingSteps(steps: Steps): Steps {
  const living: Steps = []
  let wait: number | null = null
  for (const step of steps) {
    wait ??= step.after_minutes
    if (step.contact_ids.length + step.schedule_ids.length === 0) continue
    living.push({ ...step, after_minutes: wait })
    wait = null
  }
  return living
}

type Shown = Pick<Unkeyed, 'id' | 'project'> & { secrets?: Unkeyed['secrets'] } & Record<string, unknown>

/** What a record has beside these members is what a file can say of it. */
function entryOf(name: string, { id, project, secrets = [], ...fields }: Shown): Unkeyed {
  return { id, name, fields, secrets, project }
}

function pageEntry(page: WorkspaceExport['status_pages'][number]): Unkeyed {
  const {
    id,
    slug,
    title,
    description,
    homepage,
    domain,
    language,
    theme,
    accent,
    layout,
    sections: parts,
    monitor_tags,
    history,
  } = page
  const shown = parts.map(({ name, monitors }) => ({
    name,
    monitors: monitors.map(({ monitor_id, name: other }) => ({ monitor_id, name: other })),
  }))
  const { response_charts, visibility, tags, secrets, project } = page
  const looks = { language, theme, accent, layout, history, response_charts, visibility, tags }
  const fields = { slug, title, description, homepage, domain, ...looks, monitor_tags, sections: shown }
  return { id, name: slug, fields, secrets, project }
}

const longestKey = 70

function keyOf(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestKey)
    .replace(/^-|-$/g, '')
  const base = plain === '' ? 'unnamed' : plain
  let key = base
  for (let number = 2; taken.has(key); number += 1) key = `${base}-${number}`
  taken.add(key)
  return key
}
