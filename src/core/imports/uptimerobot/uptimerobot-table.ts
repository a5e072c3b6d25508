// Monitors of UptimeRobot as a table with commas, such as its dashboard exports. Columns are found by their names, in
// any order, because these have changed over the years; columns without a counterpart in the API are left alone.
import { readCsv } from '#core/imports/csv.ts'
import { assertLength } from '#core/imports/import-json.ts'
import { ImportError } from '#core/imports/imported.ts'

/** Names of columns without case and signs, by the members that the API has for the same. */
const columns: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'monitorid'],
  friendly_name: ['friendlyname', 'name', 'monitorname', 'monitor'],
  url: ['url', 'urlip', 'urlorip', 'urliphost', 'monitorurl'],
  type: ['type', 'monitortype'],
  interval: ['interval', 'intervalinseconds', 'intervalseconds', 'intervals', 'monitoringinterval'],
  interval_minutes: ['intervalinminutes', 'intervalminutes', 'intervalmin'],
  timeout: ['timeout', 'timeoutinseconds'],
  port: ['port'],
  keyword_type: ['keywordtype'],
  keyword_value: ['keywordvalue', 'keyword'],
  http_username: ['httpusername', 'username'],
  http_password: ['httppassword', 'password'],
  status: ['status'],
  tags: ['tags'],
}

const types: Readonly<Record<string, number>> = {
  http: 1,
  https: 1,
  website: 1,
  keyword: 2,
  ping: 3,
  port: 4,
  heartbeat: 5,
  cron: 5,
}

/** Monitors in the form in which the API has them. */
export function readRobotTable(content: string): unknown[] {
  assertLength(content)
  const [names = [], ...rows] = readCsv(content)
  const members = names.map((name) => memberOf(plain(name)))
  for (const needed of ['url', 'type'])
    if (!members.includes(needed))
      throw new ImportError(`It has no column for ${needed === 'url' ? 'the URL' : 'the type'} of its monitors.`)
  return rows.map((row) => {
    const given = new Map(row.map((cell, index) => [members[index] ?? '', cell.trim()]))
    return monitorOf(given)
  })
}

function memberOf(name: string): string | null {
  return Object.keys(columns).find((member) => columns[member]?.includes(name) === true) ?? null
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function monitorOf(given: ReadonlyMap<string, string>): Record<string, unknown> {
  const minutes = Number(given.get('interval_minutes') ?? '')
  const { tags, ...rest } = { tags: '', ...Object.fromEntries(given) }
  return {
    ...rest,
    type: typeOf(given.get('type') ?? ''),
    status: /^(?:paused|0)$/i.test(given.get('status') ?? '') ? 0 : 2,
    keyword_type: /not|2/i.test(given.get('keyword_type') ?? 'not') ? 2 : 1,
    tags: tags.split(/[,;]/).map((tag) => tag.trim()),
    ...(minutes > 0 ? { interval: minutes * 60 } : {}),
  }
}

/** Names such as `HTTP(s)`, or the numbers of the API. */
function typeOf(text: string): number | null {
  const name = plain(text)
  return Object.hasOwn(types, name) ? (types[name] ?? null) : /^[1-9]$/.test(name) ? Number(name) : null
}
