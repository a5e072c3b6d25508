// What a monitor of UptimeRobot becomes here, by the number of its type.
import { z } from 'zod'
import type { Where } from '#core/imports/findings.ts'
import { innerJson, numberOrNull, textOrNull } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { basicAuthorization, headersOf, hostPortOf, methodOf, shown, statusesOf } from '#core/imports/monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

export const robotWebSchema = z.object({
  friendly_name: textOrNull,
  url: textOrNull,
  type: numberOrNull,
  sub_type: numberOrNull,
  port: numberOrNull,
  keyword_type: numberOrNull,
  keyword_case_type: numberOrNull,
  keyword_value: textOrNull,
  http_username: textOrNull,
  http_password: textOrNull,
  http_auth_type: numberOrNull,
  http_method: numberOrNull,
  post_type: numberOrNull,
  post_value: z.unknown().optional(),
  ignore_ssl_errors: z.unknown().optional(),
  custom_http_headers: z.unknown().optional(),
  custom_http_statuses: z.unknown().optional(),
})
export type RobotWeb = z.infer<typeof robotWebSchema>
type Settings = Partial<ImportedMonitorInput>

export function robotSettings(monitor: RobotWeb, where: Where): Settings | null {
  switch (monitor.type) {
    case 1:
    case 2:
      return webSettings(monitor, where)
    case 3:
      return hostOf(monitor, where, { kind: 'ping', port: null })
    case 4:
      return hostOf(monitor, where, { kind: 'tcp', port: ports[monitor.sub_type ?? 0] ?? monitor.port })
    case 5:
      where.findings.changed(`${where.place}.url`, 'Give the job that calls it the new address.')
      return { kind: 'heartbeat', recovery_threshold: 1 }
    case null:
    default:
      where.findings.lost(`${where.place}.type`, `No kind of monitor does what its type ${monitor.type ?? ''} does.`)
      return null
  }
}

/** By the number of the kind of port: HTTP, HTTPS, FTP, SMTP, POP3 and IMAP. */
const ports: Readonly<Record<number, number>> = { 1: 80, 2: 443, 3: 21, 4: 25, 5: 110, 6: 143 }

function hostOf(
  { url }: RobotWeb,
  { place, findings }: Where,
  { kind, port }: { kind: 'ping' | 'tcp'; port: number | null },
): Settings | null {
  const host = (url ?? '').replace(/^[a-z]+:\/\//i, '').replace(/[/?#].*$/s, '')
  const target = kind === 'tcp' && port === null ? null : hostPortOf(host, port)
  if (target !== null) return { kind, url: kind === 'ping' ? target.replace(/^\[(.*)\]$/, '$1') : target }
  findings.lost(
    `${place}.url`,
    `"${shown(url ?? '')}" is no host${kind === 'tcp' ? ' and port' : ''} that can be checked.`,
  )
  return null
}

const methods = [null, 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function webSettings(monitor: RobotWeb, where: Where): Settings | null {
  const { place, findings } = where
  const { url } = monitor
  if (url === null || !/^https?:\/\/[^/]/i.test(url)) {
    findings.lost(`${place}.url`, `"${shown(url ?? '')}" is no address that begins with https:// or http://.`)
    return null
  }
  const text = textSettings(monitor, where)
  const body = bodyOf(monitor)
  const headers = headersOf(headerEntries(monitor, body, where), where)
  if (monitor.ignore_ssl_errors === true || monitor.ignore_ssl_errors === 1)
    findings.changed(
      `${place}.ignore_ssl_errors`,
      'Perigee checks the certificate of an https target; UptimeRobot did not.',
    )
  const method = methods[monitor.http_method ?? 0] ?? null
  return {
    kind: 'http',
    url,
    // The body of an answer to HEAD is empty.
    method: methodOf(text !== null && method === 'HEAD' ? 'GET' : method, where),
    ...statusesOf(rangesOf(monitor.custom_http_statuses), { place: `${place}.custom_http_statuses`, findings }),
    ...text,
    ...(body === null ? {} : { request_body: body.text }),
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
  }
}

const alertWhenThere = 1
const ignoresCase = 1

/** The number says when it alerts: where the text is there, or where it is not. */
function textSettings(monitor: RobotWeb, { place, findings }: Where): Settings | null {
  const { type, keyword_value: keyword } = monitor
  if (type !== 2 || keyword === null || keyword === '') return null
  if (monitor.keyword_case_type === ignoresCase)
    findings.changed(
      `${place}.keyword_case_type`,
      'Perigee distinguishes upper and lower case in its text; UptimeRobot did not.',
    )
  return monitor.keyword_type === alertWhenThere ? { check_options: { absent_keyword: keyword } } : { keyword }
}

type Body = { text: string; type: string }

/** Pairs are sent as a form. */
function bodyOf({ post_type: type, post_value: given }: RobotWeb): Body | null {
  if (given === null || given === undefined || given === '') return null
  const value: unknown = typeof given === 'string' ? (innerJson(given) ?? given) : given
  if (type === 1 && typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, each]): [string, string] => [name, plain(each)])
    return { text: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
  }
  const text = typeof given === 'string' ? given : plain(given)
  return { text, type: typeof value === 'object' ? 'application/json' : 'text/html' }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function headerEntries(
  monitor: RobotWeb,
  body: Body | null,
  { place, findings }: Where,
): (readonly [name: string, value: string])[] {
  const given: unknown = monitor.custom_http_headers
  const value: unknown = typeof given === 'string' ? innerJson(given) : given
  const own = Object.entries(typeof value === 'object' && value !== null ? value : {}).map(
    ([name, each]): [string, string] => [name, plain(each)],
  )
  const named = new Set(own.map(([name]) => name.toLowerCase()))
  const implied: [string, string][] = []
  if (body !== null) implied.push(['content-type', body.type])
  const { http_username: user, http_password: password, http_auth_type: auth } = monitor
  if (user !== null && auth === 2)
    findings.lost(
      `${place}.http_auth_type`,
      'Checks do not sign in with digest, so this one is sent without credentials.',
    )
  else if (user !== null) implied.push(['authorization', basicAuthorization(user, password ?? '')])
  return [...implied.filter(([name]) => !named.has(name)), ...own]
}

const usual: StatusRange = [200, 399]

/** Statuses that are up or down beside the usual ones: `{"up":[404],"down":[301]}`, or `404:1_301:0`. */
function rangesOf(given: unknown): StatusRange[] {
  const { up, down } = listedStatuses(given)
  const right = [usual, ...up.map((status): StatusRange => [status, status])]
  return down.reduce(
    (ranges, status) =>
      ranges.flatMap(([min, max]): StatusRange[] =>
        status < min || status > max ? [[min, max]] : rangesBeside(status, [min, max]),
      ),
    right,
  )
}

function rangesBeside(status: number, [min, max]: StatusRange): StatusRange[] {
  const both: StatusRange[] = [
    [min, status - 1],
    [status + 1, max],
  ]
  return both.filter(([from, until]) => from <= until)
}

const textForm = /^\d{3}:[01](?:_\d{3}:[01]){0,99}$/

/** At most a hundred of each. */
function listedStatuses(given: unknown): { up: number[]; down: number[] } {
  if (typeof given === 'string' && textForm.test(given)) {
    const pairs = given.split('_').map((pair) => pair.split(':'))
    const of = (mark: string): number[] => pairs.filter(([, is]) => is === mark).map(([status]) => Number(status))
    return { up: of('1'), down: of('0') }
  }
  const lists = { up: [], down: [], ...(typeof given === 'object' ? given : {}) }
  return { up: numbersOf(lists.up), down: numbersOf(lists.down) }
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value)
    ? value
        .slice(0, 100)
        .map(Number)
        .filter((each) => Number.isInteger(each))
    : []
}
