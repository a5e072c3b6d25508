import { type Place, ProjectError, type ProjectProblem, refused } from './project-error.ts'
import { type Fields, type Member, type Scalar, type Tree, withMembers } from './tree.ts'
import { fillIn, readVariables, type Scope, type Surroundings } from './variables.ts'
import { readYaml, type Source } from './yaml-tree.ts'

/** What a project has, in the order in which it is made: what others name comes first. */
export const sections = [
  'contacts',
  'on_call_schedules',
  'escalation_policies',
  'monitors',
  'status_pages',
  'maintenance',
  'objectives',
  'reports',
] as const
export type Section = (typeof sections)[number]

/** An entry as the files have it, with defaults, variables and lists filled in. */
export type WrittenEntry = { section: Section; key: string; fields: Fields }

/** The entries are in the order of the sections, and in each as they are written. */
export type WrittenProject = { id: string; entries: WrittenEntry[] }

const maxFiles = 500
/** Of a project, and of one list that entries are made for. */
export const maxEntries = 5_000
export const idForm = /^[a-z0-9][a-z0-9_.-]{0,79}$/
export const idRule = 'Must have at most 80 of a-z, 0-9, -, _ and ., with a letter or digit first.'

/** A section as a file has it. */
type Found = { place: Place; tree: Tree }
type Parts = {
  project: Found[]
  variables: Found[]
  defaults: Found[]
  entries: { section: Section; tree: Tree }[]
}

/** Reads all files of a project as one. Throws ProjectError, which names every problem of the step that it is at. */
export function readEntries(sources: readonly Source[], around: Surroundings): WrittenProject {
  const place = { file: sources[0]?.file ?? '.', line: 1 }
  if (sources.length > maxFiles) throw refused(place, `There are more than ${maxFiles} files.`)
  const problems: ProjectProblem[] = []
  const parts = partsOf(sources, problems)
  const id = idOf(parts.project, place, problems)
  const variables = new Map<string, Scalar>()
  for (const { tree } of parts.variables)
    for (const [key, value] of readVariables(tree, around, problems)) {
      if (variables.has(key)) problems.push({ place: tree.place, path: 'variables', message: `Sets ${key} again.` })
      variables.set(key, value)
    }
  const scope: Scope = { ...around, variables, each: null }
  const defaults = defaultsOf(parts.defaults, scope, problems)
  const entries: WrittenEntry[] = []
  for (const { section, tree } of parts.entries) {
    for (const entry of entriesOf(tree, { section, scope, problems }))
      entries.push({ ...entry, fields: withDefaults(entry.fields, defaults.get(section)) })
    if (entries.length > maxEntries) throw refused(tree.place, `The project has more than ${maxEntries} entries.`)
  }
  refuseTwice(entries, problems)
  if (problems.length > 0) throw new ProjectError(problems)
  return { id, entries: sections.flatMap((section) => entries.filter((entry) => entry.section === section)) }
}

function partsOf(sources: readonly Source[], problems: ProjectProblem[]): Parts {
  const parts: Parts = { project: [], variables: [], defaults: [], entries: [] }
  for (const source of sources) {
    const tree = readYaml(source)
    if (tree === null) continue
    if (tree.type !== 'fields') throw refused(tree.place, 'Must be a map with sections such as monitors.')
    for (const [name, { place, tree: value }] of tree.members) {
      const section = sections.find((each) => each === name)
      if (section !== undefined) parts.entries.push(...itemsOf(value, section))
      else if (name === 'project' || name === 'variables' || name === 'defaults')
        parts[name].push({ place, tree: value })
      // Others are a place for anchors, as in Compose files.
      else if (!name.startsWith('x-'))
        problems.push({
          place,
          path: name,
          message: `Is no section. There are project, variables, defaults, ${sections.join(', ')}.`,
        })
    }
  }
  return parts
}

function itemsOf(tree: Tree, section: Section): Parts['entries'] {
  if (tree.type === 'scalar' && tree.value === null) return []
  if (tree.type !== 'list') throw refused(tree.place, `${section}: Must be a list.`)
  return tree.items.map((item) => ({ section, tree: item }))
}

function idOf(given: readonly Found[], place: Place, problems: ProjectProblem[]): string {
  const ids = given.map(({ tree }) => (tree.type === 'scalar' ? String(tree.value) : ''))
  for (const [at, id] of ids.entries()) {
    const where = given[at]?.place ?? place
    if (!idForm.test(id)) problems.push({ place: where, path: 'project', message: idRule })
    else if (id !== ids[0]) problems.push({ place: where, path: 'project', message: `Is ${ids[0]} in another file.` })
  }
  if (ids.length === 0)
    problems.push({ place, path: 'project', message: 'One of the files must name the project, as in "project: shop".' })
  return ids[0] ?? ''
}

/** They are filled in once, so that a variable that is missing there is told once. */
function defaultsOf(given: readonly Found[], scope: Scope, problems: ProjectProblem[]): Map<Section, Fields> {
  const defaults = new Map<Section, Fields>()
  for (const { tree } of given) {
    if (tree.type !== 'fields') throw refused(tree.place, 'defaults: Must be a map with sections such as monitors.')
    for (const [name, { place, tree: value }] of tree.members) {
      const section = sections.find((each) => each === name)
      const path = `defaults.${name}`
      if (section === undefined) problems.push({ place, path, message: `Must be one of ${sections.join(', ')}.` })
      else if (value.type !== 'fields') problems.push({ place, path, message: 'Must be a map of fields.' })
      else if (defaults.has(section)) problems.push({ place, path, message: 'Is also in another file.' })
      else {
        const filled = fillIn(value, scope, problems)
        if (filled.type === 'fields') defaults.set(section, filled)
      }
    }
  }
  return defaults
}

type Making = { section: Section; scope: Scope; problems: ProjectProblem[] }

/** An entry, or those that its `for_each` makes of it. */
function entriesOf(tree: Tree, { section, scope, problems }: Making): WrittenEntry[] {
  if (tree.type !== 'fields') {
    problems.push({ place: tree.place, path: section, message: 'Must be a map with a key.' })
    return []
  }
  const { for_each: list, ...rest } = Object.fromEntries(tree.members)
  const fields = withMembers(tree, Object.entries(rest))
  return eachesOf(list, { section, scope, problems }).flatMap((each) => {
    const filled = fillIn(fields, { ...scope, each }, problems)
    return filled.type === 'fields' ? keyed(filled, section, problems) : []
  })
}

function eachesOf(list: Member | undefined, { scope, problems }: Making): (Tree | null)[] {
  if (list === undefined) return [null]
  const filled = fillIn(list.tree, scope, problems)
  if (filled.type === 'list' && filled.items.length <= maxEntries) return [...filled.items]
  problems.push({ place: list.place, path: 'for_each', message: `Must be a list of at most ${maxEntries}.` })
  return []
}

function keyed(fields: Fields, section: Section, problems: ProjectProblem[]): WrittenEntry[] {
  const given = fields.members.get('key')
  const key = given?.tree.type === 'scalar' ? String(given.tree.value) : ''
  if (idForm.test(key)) {
    const others = [...fields.members].filter(([name]) => name !== 'key')
    return [{ section, key, fields: withMembers(fields, others) }]
  }
  const message = given === undefined ? `This field is required. It must be unique within ${section}.` : idRule
  problems.push({ place: given?.place ?? fields.place, path: 'key', message })
  return []
}

/** A field that an entry has itself stands in place of the default's as a whole. */
function withDefaults(fields: Fields, defaults: Fields | undefined): Fields {
  return defaults === undefined ? fields : withMembers(fields, [...defaults.members, ...fields.members])
}

function refuseTwice(entries: readonly WrittenEntry[], problems: ProjectProblem[]): void {
  const seen = new Map<string, Place>()
  for (const { section, key, fields } of entries) {
    const name = `${section} ${key}`
    const first = seen.get(name)
    if (first === undefined) seen.set(name, fields.place)
    else
      problems.push({
        place: fields.place,
        path: 'key',
        message: `${key} is the key of another of ${section}, at ${first.file}:${first.line}.`,
      })
  }
}
