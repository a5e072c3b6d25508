// Between the entries of a project and the bodies of the API: only what names others has another form.
import type { ProjectProblem } from './project-error.ts'
import type { WrittenEntry } from './entries.ts'
import type { Reference, References } from './references.ts'
import { type NamingField, sectionTraits } from './section-traits.ts'
import { type Fields, type Member, type Tree, withMembers } from './tree.ts'

/** Of a member of a group, in `check_options`. */
export const groupMembers = { written: 'members', sent: 'member_ids' } as const
/** Of a monitor in a section of a status page. */
export const sectionMonitor = { written: 'monitor', sent: 'monitor_id' } as const

type Writing = { references: References; problems: ProjectProblem[] }

/** The fields as the API has them, with ids that stand for references. */
export function toWire({ section, fields }: WrittenEntry, writing: Writing): Fields {
  const naming = sectionTraits[section].references.filter(
    ({ ofKind }) => ofKind === undefined || ofKind === kindOf(fields),
  )
  return naming.reduce((done, field) => {
    const way = { path: field.within, behind: [] }
    return inEach(done, way, (found, at) => fieldToWire({ fields: found, at }, field, writing))
  }, fields)
}

function kindOf(fields: Fields): unknown {
  const kind = fields.members.get('kind')?.tree
  return kind?.type === 'scalar' ? kind.value : undefined
}

/** `path` is still to go, with `*` for each of a list; `behind` has names and places in lists. */
type Way = { path: readonly string[]; behind: readonly string[] }

/** The same with other maps where a path leads. What it does not lead to is left for the schema of the body to refuse. */
function inEach(fields: Fields, { path, behind }: Way, change: (found: Fields, at: Way['behind']) => Fields): Fields {
  const [name, ...rest] = path
  if (name === undefined) return change(fields, behind)
  const isList = rest[0] === '*'
  const further = isList ? rest.slice(1) : rest
  const inner = (tree: Tree, at: Way['behind']): Tree =>
    tree.type === 'fields' ? inEach(tree, { path: further, behind: at }, change) : tree
  return changed(fields, name, (tree) =>
    isList
      ? each(tree, (item, place) => inner(item, [...behind, name, String(place)]))
      : inner(tree, [...behind, name]),
  )
}

type Located = { fields: Fields; at: Way['behind'] }

function fieldToWire({ fields, at }: Located, field: NamingField, writing: Writing): Fields {
  const { written, sent } = field
  const given = written === sent ? undefined : fields.members.get(sent)
  if (given !== undefined)
    writing.problems.push({
      place: given.place,
      path: [...at, sent].join('.'),
      message: `Is called ${written} here, and names keys, not ids.`,
    })
  return changed(renamed(fields, written, sent), sent, (tree) => valueToWire(tree, field, writing))
}

function valueToWire(tree: Tree, { form, to }: NamingField, writing: Writing): Tree {
  switch (form) {
    case 'one':
      return toId(tree, to, writing)
    case 'list':
      return each(tree, (item) => toId(item, to, writing))
    case 'placed':
      return each(tree, (item) => placedToWire(item, writing))
  }
}

/** `site`, `{name: Site}` of one that is not in the project, or `{monitor: site, name: Shop}` to show another name. */
function placedToWire(tree: Tree, writing: Writing): Tree {
  const { written, sent } = sectionMonitor
  if (tree.type !== 'fields' || !tree.members.has(written)) {
    const member: Member = { written, place: tree.place, tree: toId(tree, 'monitors', writing) }
    return { type: 'fields', place: tree.place, members: new Map([[sent, member]]) }
  }
  return changed(renamed(tree, written, sent), sent, (one) => toId(one, 'monitors', writing))
}

/** Null, and what is no reference, stays as it is: the schema of the body refuses it where it must. */
function toId(tree: Tree, to: Reference['to'], { references, problems }: Writing): Tree {
  if (tree.type === 'scalar' && tree.value === null) return tree
  const reference = referenceOf(tree, to)
  if (reference !== null) {
    const value = references.idOf(reference, tree.place)
    return { type: 'scalar', place: tree.place, value, isPlain: false }
  }
  problems.push({ place: tree.place, path: '', message: 'Must be a key, or {name: …} of one in the workspace.' })
  return tree
}

function referenceOf(tree: Tree, to: Reference['to']): Reference | null {
  if (tree.type === 'scalar') return { to, key: String(tree.value) }
  if (tree.type === 'list' || tree.members.size !== 1) return null
  const name = tree.members.get('name')?.tree
  return name?.type === 'scalar' && name.value !== null ? { to, name: String(name.value) } : null
}

function each(tree: Tree, change: (item: Tree, place: number) => Tree): Tree {
  return tree.type === 'list' ? { ...tree, items: tree.items.map((item, place) => change(item, place)) } : tree
}

function renamed(fields: Fields, written: string, sent: string): Fields {
  return withMembers(
    fields,
    [...fields.members].map(([name, member]) => [name === written ? sent : name, member]),
  )
}

function changed(fields: Fields, name: string, change: (tree: Tree) => Tree): Fields {
  const member = fields.members.get(name)
  if (member === undefined) return fields
  return withMembers(fields, [...fields.members, [name, { ...member, tree: change(member.tree) }]])
}
