import type { QueryFunctionContext } from '@tanstack/react-query'
import type { OverviewPage } from '../../api/overview.ts'
import {
  type MonitorList,
  type MonitorRow,
  type Told,
  byMember,
  byName,
  listOf,
  nothingTold,
  rowsOf,
} from './monitors-rows.ts'
import { withChange } from './monitors-told.ts'

type Held = { at: number; rows: readonly MonitorRow[] }

type Reading = Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>

/**
 * Reads the pages behind the first, one at a time, and answers with the list of all. What has come is shown whenever it
 * is twice of what is there, so that each row is put into its place a few times at most; a list that is complete stays
 * until the new one is. The live stream began at the first page, or before: what it told since goes into older pages.
 */
export async function readPages(
  first: OverviewPage,
  read: (cursor: string) => Promise<OverviewPage>,
  reading: Reading,
): Promise<MonitorList> {
  const start = listOf(first)
  if (start.isComplete) return start
  const { client, queryKey, signal } = reading
  const known = client.getQueryData<MonitorList>(queryKey)
  const { at, today, horizon, incidents, quietSince } = start
  let list = known === undefined ? start : { ...known, incidents, quietSince }
  let isOwn = known === undefined
  let held: Held[] = isOwn ? [] : [{ at, rows: start.rows }]
  let count = start.rows.length
  const groups = [...first.groups]
  client.setQueryData(queryKey, list)
  for (let cursor = first.next_cursor; cursor !== null;) {
    const page = await read(cursor)
    signal.throwIfAborted()
    cursor = page.next_cursor
    groups.push(...page.groups)
    held.push({ at: page.at, rows: rowsOf(page.monitors) })
    count += page.monitors.length
    list = client.getQueryData<MonitorList>(queryKey) ?? list
    if (cursor !== null && (list.isComplete || count < 2 * list.rows.length)) continue
    const rows = [...(isOwn ? list.rows : []), ...held.flatMap((each) => broughtUp(each, list.told))].toSorted(byName)
    list = {
      ...list,
      at,
      today,
      horizon,
      rows,
      groupsOf: byMember(groups),
      isComplete: cursor === null,
      // What was told before may have been of the list that this one takes the place of.
      total: isOwn ? list.total : null,
      told: nothingTold,
    }
    client.setQueryData(queryKey, list)
    isOwn = true
    held = []
  }
  return list
}

function broughtUp({ at, rows }: Held, told: Told): MonitorRow[] {
  return rows.map((row) => {
    const news = told.get(row.id)
    return news === undefined || news.at < at ? row : withChange(row, news.change)
  })
}
