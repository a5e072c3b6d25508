import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { contactInputSchema } from '#core/contacts/contact-record.ts'
import { chosenRules } from '#core/contacts/alert-rules.ts'
import { policyInputSchema } from '#core/contacts/escalation.ts'
import { keptTemplates, messageTemplatesSchema } from '#core/contacts/message-templates.ts'
import { onCallInputSchema } from '#core/contacts/on-call-schedule.ts'
import { maintenanceInputSchema } from '#core/maintenance.ts'
import { isKindName, usualKind } from '#core/monitors/kind-traits.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import { sloInputSchema } from '#core/objectives/slo.ts'
import { type Section, type WrittenEntry, readEntries } from '#core/projects/entries.ts'
import { type Place, ProjectError, type ProjectProblem } from '#core/projects/project-error.ts'
import { type Project, type ProjectEntry } from '#core/projects/project.ts'
import { createReferences, type References } from '#core/projects/references.ts'
import { sectionTraits } from '#core/projects/section-traits.ts'
import { type Fields as FieldTree, holdsOutside, placeAlong, plainValue, withMembers } from '#core/projects/tree.ts'
import type { Surroundings } from '#core/projects/variables.ts'
import { toWire } from '#core/projects/wire.ts'
import type { Source } from '#core/projects/yaml-tree.ts'
import { reportInputSchema } from '#core/reports/report.ts'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import { kinds } from '#kinds/index.ts'
import { parse } from '#operations/pipeline/validation.ts'

/** The body of the operation that creates one, and what a project says beside it. */
export const entrySchemas = {
  contacts: { body: contactInputSchema, own: ownOf('contacts') },
  on_call_schedules: { body: onCallInputSchema, own: ownOf('on_call_schedules') },
  escalation_policies: { body: policyInputSchema, own: ownOf('escalation_policies') },
  monitors: { body: monitorInputSchema, own: ownOf('monitors') },
  status_pages: { body: statusPageInputSchema, own: ownOf('status_pages') },
  maintenance: { body: maintenanceInputSchema, own: ownOf('maintenance') },
  objectives: { body: sloInputSchema, own: ownOf('objectives') },
  reports: { body: reportInputSchema, own: ownOf('reports') },
} as const satisfies Record<Section, { body: z.ZodType; own: z.ZodObject }>

function ownOf(section: Section): z.ZodObject {
  return z.strictObject(sectionTraits[section].own)
}

/**
 * What the files of a project say, each entry read by the schemas of the operations. Throws ProjectError alone, which
 * names every problem with its file and line.
 */
export function readProject(sources: readonly Source[], around: Surroundings): Project {
  const { id, entries: written } = readEntries(sources, around)
  const problems: ProjectProblem[] = []
  const references = createReferences()
  const entries = written.flatMap((entry) => readEntry(entry, { references, problems }) ?? [])
  problems.push(...missingKeys(written, references), ...secondDefaults(entries))
  if (problems.length > 0) throw new ProjectError(problems)
  return { id, entries, findReference: references.find }
}

type Reading = { references: References; problems: ProjectProblem[] }

function readEntry(written: WrittenEntry, { references, problems }: Reading): ProjectEntry | null {
  const { section, key } = written
  const found: ProjectProblem[] = []
  const tree = toWire(written, { references, problems: found })
  const { body, own } = entrySchemas[section]
  const isOwn = (name: string): boolean => Object.hasOwn(own.shape, name)
  const members = [...tree.members]
  const read = {
    ...parsed(
      body,
      withMembers(
        tree,
        members.filter(([name]) => !isOwn(name)),
      ),
      found,
    ),
    ...parsed(
      own,
      withMembers(
        tree,
        members.filter(([name]) => isOwn(name)),
      ),
      found,
    ),
  }
  // What schemas fill in for what a file leaves out is not said by it.
  const fields = Object.fromEntries(Object.entries(read).filter(([name]) => tree.members.has(name)))
  const normal = found.length > 0 ? fields : withOptions(fields, { section, tree, problems: found })
  const label = `${section}.${key}`
  problems.push(...found.map((each) => ({ ...each, path: each.path === '' ? label : `${label}.${each.path}` })))
  const outside = members.flatMap(([name, { tree: value }]) => (holdsOutside(value) ? [name] : []))
  return found.length > 0 ? null : { section, key, place: tree.place, fields: normal, outside }
}

function parsed(schema: z.ZodType, tree: FieldTree, problems: ProjectProblem[]): Record<string, unknown> {
  const result = parse<unknown>(schema, plainValue(tree))
  if (result.ok) return Object(result.value)
  for (const [name, messages] of Object.entries(result.fields)) {
    const { place, path } = placeAlong(tree, name === 'body' ? [] : name.split('.'))
    for (const message of messages) problems.push({ place, path, message })
  }
  return {}
}

type WithTree = { section: Section; tree: FieldTree; problems: ProjectProblem[] }

/** What a kind takes, as the kind keeps it, with its own defaults. */
function withOptions(fields: Record<string, unknown>, { section, tree, problems }: WithTree): Record<string, unknown> {
  const rules = fields['alert_rules']
  const told = {
    ...fields,
    ...(isObject(rules) ? { alert_rules: chosenRules(rules) } : {}),
    ...(section === 'contacts' && isObject(fields['templates'])
      ? { templates: keptTemplates(messageTemplatesSchema.parse(fields['templates'])) }
      : {}),
  }
  const { name, schema } = optionsOf(section, fields['kind'])
  if (section === 'contacts' && schema === null)
    problems.push({ ...placeAlong(tree, ['kind']), message: 'This release does not know this kind of contact.' })
  const member = name === null ? undefined : tree.members.get(name)
  if (name === null || schema === null) return told
  const given = member?.tree ?? { type: 'fields', place: tree.place, members: new Map() }
  const at = {
    type: 'fields',
    place: tree.place,
    members: new Map([[name, { written: name, place: member?.place ?? tree.place, tree: given }]]),
  } as const
  const options = parsed(z.strictObject({ [name]: schema }), at, problems)
  return member === undefined ? told : { ...told, ...options }
}

function optionsOf(section: Section, kind: unknown): { name: string | null; schema: z.ZodType | null } {
  if (section === 'monitors') {
    const named = typeof kind === 'string' && isKindName(kind) ? kind : usualKind
    return { name: 'check_options', schema: kinds[named].options }
  }
  if (section === 'contacts') return { name: 'options', schema: findContactKind(String(kind))?.options ?? null }
  return { name: null, schema: null }
}

function missingKeys(entries: readonly WrittenEntry[], references: References): ProjectProblem[] {
  const keys = new Set(entries.map(({ section, key }) => `${section} ${key}`))
  return references
    .all()
    .flatMap(
      ({ reference, place }: { reference: ReturnType<References['all']>[number]['reference']; place: Place }) => {
        if (!('key' in reference) || keys.has(`${reference.to} ${reference.key}`)) return []
        const message = `The project has no ${reference.key} among its ${reference.to}.`
        return [{ place, path: '', message }]
      },
    )
}

/** A workspace has one default policy at most: of two, each apply would make another one the default. */
function secondDefaults(entries: readonly ProjectEntry[]): ProjectProblem[] {
  const [first, ...others] = entries.filter(
    ({ section, fields }) => section === 'escalation_policies' && fields['is_default'] === true,
  )
  return others.map(({ section, key, place }) => {
    const message = `Only one policy is the default, and ${first?.key} is it already.`
    return { place, path: `${section}.${key}.is_default`, message }
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
