import { type Place, type ProjectProblem, refused } from './project-error.ts'
import { holdsOutside, type Scalar, type Tree, withMembers } from './tree.ts'

/** What stands around the files: a name that is not set, and a file that cannot be read, is null. */
export type Surroundings = {
  environment: (name: string) => string | null
  /** `from` is the file that names it. */
  readFile: (path: string, from: string) => string | null
}

export type Scope = Surroundings & {
  /** Of the section `variables`. */
  variables: ReadonlyMap<string, Scalar>
  /** What a `for_each` is at; null outside of one. */
  each: Tree | null
}

const placeholder = /\$\$\{|\$\{([^{}]*)\}/g
const alone = /^\$\{([^{}]*)\}$/
const name = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * The tree with `${…}` filled in. One that is a whole value without quotes becomes what it stands for, a number or a
 * list too; in a text, and in quotes, it becomes text. `$${` stands for `${`.
 */
export function fillIn(tree: Tree, scope: Scope, problems: ProjectProblem[]): Tree {
  switch (tree.type) {
    case 'scalar':
      return fillScalar(tree, scope, problems)
    case 'list':
      return { ...tree, items: tree.items.map((item) => fillIn(item, scope, problems)) }
    case 'fields':
      return withMembers(
        tree,
        [...tree.members].map(([key, member]) => [key, { ...member, tree: fillIn(member.tree, scope, problems) }]),
      )
  }
}

function fillScalar(scalar: Scalar, scope: Scope, problems: ProjectProblem[]): Tree {
  const { value, place, isPlain } = scalar
  if (typeof value !== 'string' || !value.includes('${')) return scalar
  const asked = { place, scope, problems }
  const [, whole] = isPlain ? (alone.exec(value) ?? []) : []
  if (whole !== undefined) return standIn(whole, asked) ?? scalar
  let isFromOutside = false
  const filled = value.replaceAll(placeholder, (written: string, expression: string | undefined) => {
    if (expression === undefined) return '${'
    const found = standIn(expression, asked)
    if (found === null) return written
    if (holdsOutside(found)) isFromOutside = true
    if (found.type === 'scalar') return String(found.value ?? '')
    problems.push({ place, path: '', message: `\${${expression}} is no text, so it cannot be a part of one.` })
    return written
  })
  return { ...scalar, value: filled, isPlain: false, ...(isFromOutside ? { isFromOutside } : {}) }
}

type Asked = { place: Place; scope: Scope; problems: ProjectProblem[] }

/** What an expression stands for; null where that is told as a problem. */
function standIn(expression: string, { place, scope, problems }: Asked): Tree | null {
  const found = valueOf(expression.trim(), place, scope)
  if (typeof found !== 'string') return found
  problems.push({ place, path: '', message: found })
  return null
}

/** A problem is a text. */
function valueOf(expression: string, place: Place, scope: Scope): Tree | string {
  if (expression === 'each' || expression.startsWith('each.')) return eachOf(expression, scope.each)
  if (expression.startsWith('file:')) {
    const path = expression.slice('file:'.length)
    const text = scope.readFile(path, place.file)
    return text === null ? `The file ${path} cannot be read.` : outside(place, text.replace(/\r?\n$/, ''))
  }
  if (!name.test(expression)) return `\${${expression}} is no variable; write $\${ for the characters themselves.`
  const own = scope.variables.get(expression)
  if (own !== undefined) return { ...own, place }
  const text = scope.environment(expression)
  return text === null ? `The variable ${expression} is not set.` : outside(place, text)
}

function outside(place: Place, value: string): Scalar {
  return { type: 'scalar', place, value, isPlain: false, isFromOutside: true }
}

function eachOf(expression: string, each: Tree | null): Tree | string {
  if (each === null) return `\${${expression}} has a meaning only beside for_each.`
  let at = each
  for (const member of expression.split('.').slice(1)) {
    const found = at.type === 'fields' ? at.members.get(member) : undefined
    if (found === undefined) return `\${${expression}}: this one of for_each has no ${member}.`
    at = found.tree
  }
  return at
}

/** The section `variables`: scalars by their names, which may themselves be of the environment or of files. */
export function readVariables(tree: Tree, around: Surroundings, problems: ProjectProblem[]): [string, Scalar][] {
  if (tree.type !== 'fields') throw refused(tree.place, 'variables: Must be names with values.')
  const scope: Scope = { ...around, variables: new Map(), each: null }
  return [...tree.members].flatMap(([key, { place, tree: given }]): [string, Scalar][] => {
    const value = fillIn(given, scope, problems)
    if (!name.test(key) || key === 'each')
      problems.push({ place, path: 'variables', message: `${JSON.stringify(key)} is no name of a variable.` })
    else if (value.type !== 'scalar')
      problems.push({ place, path: `variables.${key}`, message: 'Must be a text, a number, true or false.' })
    else return [[key, value]]
    return []
  })
}

/** The same value where what looks like a variable is filled in: it stands there for itself. */
export function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(withoutVariables)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutVariables(inner)]))
}
