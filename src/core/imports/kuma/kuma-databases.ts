// Uptime Kuma's checks of databases, each by one connection string.
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { shown } from '#core/imports/monitor-parts.ts'
import type { KumaMonitor } from './kuma-rows.ts'

type Settings = Partial<ImportedMonitorInput>
type Options = Record<string, unknown>

export function postgresqlSettings(row: KumaMonitor, where: Where): Settings | null {
  const parts = partsOf(row, where, ['postgres', 'postgresql'])
  if (parts === null) return null
  const { query } = parts
  const mode = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'require' : 'disable')
  const options = sqlOptions(row, where, { ...parts, isSecured: mode !== 'disable' })
  return sqlSettings('postgresql', parts, mode === 'no-verify' ? { ...options, accept_any_certificate: true } : options)
}

export function mysqlSettings(row: KumaMonitor, where: Where): Settings | null {
  const parts = partsOf(row, where, ['mysql', 'mariadb'])
  if (parts === null) return null
  // Older releases keep the password beside the string.
  const password = row.radius_password ?? parts.password
  const isSecured = parts.query.has('ssl')
  return sqlSettings('mysql', parts, sqlOptions(row, where, { ...parts, password, isSecured }))
}

export function redisSettings(row: KumaMonitor, where: Where): Settings | null {
  const parts = partsOf(row, where, ['redis', 'rediss'])
  if (parts === null) return null
  const { scheme, host, path, username, password } = parts
  const isSecured = scheme === 'rediss'
  if (!isSecured) notePrivacy(where)
  const options: Options = {
    ...(password === '' ? {} : { password, ...(username === '' ? {} : { username }) }),
    ...(isSecured && row.ignore_tls ? { accept_any_certificate: true } : {}),
  }
  return { kind: 'redis', url: `${scheme}://${host}${path}`, ...optionsOf(options) }
}

type Parts = {
  scheme: string
  host: string
  path: string
  username: string
  password: string
  query: URLSearchParams
}

/** Null, with a note that does not hold the string, where it cannot be read: it has a password. */
function partsOf(row: KumaMonitor, where: Where, schemes: readonly string[]): Parts | null {
  const text = (row.database_connection_string ?? '').trim()
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(text) ?? []
  const url = schemes.includes(scheme.toLowerCase()) ? URL.parse(text) : null
  const [username, password] = [decoded(url?.username ?? ''), decoded(url?.password ?? '')]
  if (url === null || url.host === '' || username === null || password === null) {
    const forms = schemes.map((each) => `${each}://`).join(' or ')
    where.findings.lost(
      `${where.place}.database_connection_string`,
      `Its connection string is no address that begins with ${forms} and names a host.`,
    )
    return null
  }
  const path = url.pathname === '/' ? '' : url.pathname
  return { scheme: scheme.toLowerCase(), host: url.host, path, username, password, query: url.searchParams }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

type Signing = Pick<Parts, 'username' | 'password'> & { isSecured: boolean }

function sqlOptions(row: KumaMonitor, where: Where, { username, password, isSecured }: Signing): Options {
  if (!isSecured) notePrivacy(where)
  const listed = innerJson(row.conditions)
  if (Array.isArray(listed) && listed.length > 0)
    where.findings.lost(`${where.place}.conditions`, 'Its conditions cannot be imported. Any answer counts as up.')
  const statement = statementOf(row, where)
  return {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(isSecured ? {} : { security: 'none' }),
    ...(statement === null ? {} : { statement }),
  }
}

/** `SELECT 1` is what is asked anyway. */
function statementOf({ database_query: query }: KumaMonitor, { place, findings }: Where): string | null {
  const statement = (query ?? '').trim().replace(/\s*;$/, '')
  if (statement === '' || /^select\s+1$/i.test(statement)) return null
  if (/^(?:select|with|show|values|table)\s/i.test(statement)) return statement
  findings.lost(
    `${place}.database_query`,
    `"${shown(statement)}" is more than a question. The check signs in and asks SELECT 1.`,
  )
  return null
}

function notePrivacy({ place, findings }: Where): void {
  findings.changed(
    `${place}.database_connection_string`,
    'It asks for no TLS. In Perigee, it is checked so at a private address alone.',
  )
}

function sqlSettings(kind: 'postgresql' | 'mysql', { host, path }: Parts, options: Options): Settings {
  return { kind, url: `${kind}://${host}${path}`, ...optionsOf(options) }
}

function optionsOf(options: Options): Settings {
  return Object.keys(options).length === 0 ? {} : { check_options: options }
}
