import type {
  ListedField,
  LiveCells,
  LiveColumns,
  LiveRow,
  OverviewCells,
  OverviewColumns,
  OverviewRow,
} from '../../api/overview.ts'

/** `words`: the search looks into it. `choice`: one of its values is chosen above the list. */
type Finding = 'words' | 'choice' | 'nothing'

/** What the list finds monitors by: each field that the service sends has its place here and in `head`. */
const foundBy = {
  id: 'nothing',
  name: 'words',
  kind: 'choice',
  url: 'words',
  tags: 'words',
  // The list is grouped by them.
  locations: 'nothing',
} as const satisfies Readonly<Record<ListedField, Finding>>

type FoundBy<Way extends Finding> = {
  [Field in ListedField]: (typeof foundBy)[Field] extends Way ? Field : never
}[ListedField]
export type WordField = FoundBy<'words'>
export type ChoiceField = FoundBy<'choice'>

function fieldsFoundBy<Way extends Finding>(way: Way): FoundBy<Way>[]
function fieldsFoundBy(way: Finding): string[] {
  return Object.entries(foundBy).flatMap(([field, by]) => (by === way ? [field] : []))
}

export const wordFields: readonly WordField[] = fieldsFoundBy('words')
export const choiceFields: readonly ChoiceField[] = fieldsFoundBy('choice')

// Rows come without the names of their values, in the order of core/overview.ts: another one does not compile.
const head = [
  'id',
  'name',
  'kind',
  'url',
  'tags',
  'locations',
  'state',
  'isOverdue',
  'checkedAt',
  'unknownFrom',
  'latencyMs',
] as const
const overviewColumns: OverviewColumns = [...head, 'bars', 'uptime', 'watchedSince', 'spark']
const liveColumns: LiveColumns = [...head, 'bar']

export function cellsOf(row: OverviewRow): OverviewCells {
  return named(overviewColumns, row)
}

export function changedCellsOf(row: LiveRow): LiveCells {
  return named(liveColumns, row)
}

function named<Cells extends object>(
  columns: readonly (keyof Cells & string)[],
  row: readonly Cells[keyof Cells][],
): Cells
function named(columns: readonly string[], row: readonly unknown[]): object {
  // There are thousands of rows: pairs made for each of their values would take three times as long.
  const cells: Record<string, unknown> = {}
  for (const [place, column] of columns.entries()) cells[column] = row[place]
  return cells
}
