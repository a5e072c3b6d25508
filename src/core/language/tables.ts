// Parts of a table whose entries are objects, with types as exact as if each part were written down by itself.

/** The part of each entry that has it, by the entry's name, in the order of the table. */
export type PartsOf<Table, Part extends string> = {
  [
    Name in keyof Table as Table[Name] extends Readonly<Record<Part, unknown>> ? Name : never
  ]: Table[Name] extends Readonly<Record<Part, infer Value>> ? Value : never
}

export function partsOf<Table extends object, Part extends string>(table: Table, part: Part): PartsOf<Table, Part>
export function partsOf(table: Readonly<Record<string, object>>, part: string): object {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, entry]) => {
      const found = new Map<string, unknown>(Object.entries(entry))
      return found.has(part) ? [[name, found.get(part)]] : []
    }),
  )
}

/** The names of an object's members, in their order, as what they are. */
export function namesOf<Name extends string>(members: Readonly<Record<Name, unknown>>): readonly Name[]
export function namesOf(members: object): readonly string[] {
  return Object.keys(members)
}

export type ValuesOf<Members, Names extends readonly (keyof Members)[]> = {
  -readonly [Place in keyof Names]: Members[Names[Place]]
}

/** The members of these names, in their order, as a tuple. */
export function valuesOf<Members extends object, const Names extends readonly (keyof Members)[]>(
  members: Members,
  names: Names,
): ValuesOf<Members, Names>
export function valuesOf(members: Readonly<Record<string, unknown>>, names: readonly string[]): unknown[] {
  return names.map((name) => members[name])
}
