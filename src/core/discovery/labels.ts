import { ProjectError } from '#core/projects/project-error.ts'
import { plainValue } from '#core/projects/tree.ts'
import { withoutVariables } from '#core/projects/variables.ts'
import { readYaml } from '#core/projects/yaml-tree.ts'
import { type Discovered, keyOf, type LeftOut, type Proposal, proposalOfRoute, type Route } from './proposal.ts'

export type Labels = Readonly<Record<string, string>>

type Values = Record<string, unknown>

/** An object with labels, or annotations, which are the same here. */
export type Labelled = {
  /** Such as "container shop-web-1". */
  origin: string
  /** What its monitors are called unless a label says it. */
  name: string
  /** Begins its keys: what tells its name from the same one elsewhere. */
  scope: string
  labels: Labels
  /** What is known of it otherwise. */
  routes: readonly Route[]
}

const labelForm = /^perigee\.(?:([a-z0-9][a-z0-9_-]{0,39})\.)?([a-z_]{1,40})$/
const maxValueLength = 4_000

/**
 * The monitors of an object. `perigee.url` is one in place of its routes, `perigee.<name>.url` another beside them, and
 * other fields are those of the monitors that they name. With `perigee.enable: "false"` there is none.
 */
export function proposalsOf({ origin, name, scope, labels, routes }: Labelled): Discovered {
  const leftOut: LeftOut[] = []
  const chosen = readLabels(labels, origin, leftOut)
  const { enable, ...common } = chosen.get('') ?? {}
  if (enable === false) return { proposals: [], leftOut: [] }
  const own = (part: string, fields: Values): Proposal => {
    const { key, ...others } = fields
    const title = [name, part].filter((word) => word !== '').join(' ')
    return {
      key: typeof key === 'string' ? key : keyOf(scope, name, part),
      origin,
      because: part === '' ? 'perigee.url' : `perigee.${part}.url`,
      fields: { name: title, ...others },
    }
  }
  const proposals =
    'url' in common ? [own('', common)] : routes.map((route) => ofRoute(route, common, { origin, scope }))
  for (const [part, fields] of chosen) {
    if (part === '') continue
    if ('url' in fields) proposals.push(own(part, fields))
    else leftOut.push({ origin, message: `perigee.${part}.url is missing, so its other labels say nothing.` })
  }
  return { proposals, leftOut }
}

function ofRoute(route: Route, common: Values, { origin, scope }: Pick<Labelled, 'origin' | 'scope'>): Proposal {
  const proposal = proposalOfRoute(route, origin, scope)
  return { ...proposal, fields: { ...proposal.fields, ...common } }
}

/** The fields that labels set, by the name of the monitor; the empty name is that of labels without one. */
function readLabels(labels: Labels, origin: string, leftOut: LeftOut[]): Map<string, Values> {
  const chosen = new Map<string, Values>()
  for (const [label, text] of Object.entries(labels)) {
    const [, part = '', field] = labelForm.exec(label) ?? []
    if (field === undefined) {
      if (label.startsWith('perigee.')) leftOut.push({ origin, message: `${label} is no label that Perigee knows.` })
      continue
    }
    const value = readValue(text)
    if (value === undefined) leftOut.push({ origin, message: `${label} is no value of YAML, or longer than 4,000.` })
    else chosen.set(part, { ...chosen.get(part), [field]: value })
  }
  return chosen
}

/**
 * Labels are texts. What begins like a list, a map or a quoted text is read as YAML, numbers and truth values are what
 * they look like, and all else is a text as it is. Undefined for what cannot be read. Characters that name a variable in
 * the files of a project name none here: who may label a container may not read what the operator can.
 */
function readValue(text: string): unknown {
  if (text.length > maxValueLength) return undefined
  const isYaml = /^\s*["'[{]/.test(text) || /^(?:-?\d{1,15}(?:\.\d{1,15})?|true|false|null)$/.test(text)
  if (!isYaml) return withoutVariables(text)
  try {
    const tree = readYaml({ file: 'label', text })
    return tree === null ? null : withoutVariables(plainValue(tree))
  } catch (error) {
    if (error instanceof ProjectError) return undefined
    throw error
  }
}
