// What a file of a project says, with the line of each part, so that every problem can be told with its place.
import type { Place } from './project-error.ts'

export type ScalarValue = string | number | boolean | null

export type Scalar = {
  type: 'scalar'
  place: Place
  value: ScalarValue
  /** Whether it stood there without quotes, so that a variable in its place may be a number. */
  isPlain: boolean
  /** Whether a part of it comes from the environment or from a file, and may be a secret. */
  isFromOutside?: true
}
export type List = { type: 'list'; place: Place; items: readonly Tree[] }
/** By their names as the API has them. */
export type Fields = { type: 'fields'; place: Place; members: ReadonlyMap<string, Member> }
export type Tree = Scalar | List | Fields

/** `written` is the name that stands in the file. */
export type Member = { written: string; place: Place; tree: Tree }

export function plainValue(tree: Tree): unknown {
  switch (tree.type) {
    case 'scalar':
      return tree.value
    case 'list':
      return tree.items.map(plainValue)
    case 'fields':
      return Object.fromEntries([...tree.members].map(([name, { tree: value }]) => [name, plainValue(value)]))
  }
}

/** Whether a part of it may be a secret. */
export function holdsOutside(tree: Tree): boolean {
  return (tree.type === 'scalar' && tree.isFromOutside === true) || childrenOf(tree).some(holdsOutside)
}

/** How many scalars, lists and maps it has. */
export function sizeOf(tree: Tree): number {
  const inner = childrenOf(tree)
  return inner.reduce((sum, child) => sum + sizeOf(child), 1)
}

function childrenOf(tree: Tree): readonly Tree[] {
  if (tree.type === 'list') return tree.items
  return tree.type === 'fields' ? [...tree.members.values()].map(({ tree: child }) => child) : []
}

/** Where a path of the API leads in a tree, or how far it does, and the same path as it is written in the file. */
export function placeAlong(tree: Tree, path: readonly string[]): { place: Place; path: string } {
  let at: Tree | null = tree
  let place = tree.place
  const written: string[] = []
  for (const name of path) {
    const found: Member | null = at === null ? null : childAt(at, name)
    written.push(found?.written ?? name)
    if (found !== null) place = found.place
    at = found?.tree ?? null
  }
  return { place, path: written.join('.') }
}

function childAt(tree: Tree, name: string): Member | null {
  if (tree.type === 'fields') return tree.members.get(name) ?? null
  const item = tree.type === 'list' ? tree.items[Number(name)] : undefined
  return item === undefined ? null : { written: name, place: item.place, tree: item }
}

/** The same with other members. */
export function withMembers(fields: Fields, members: Iterable<readonly [string, Member]>): Fields {
  return { ...fields, members: new Map(members) }
}
