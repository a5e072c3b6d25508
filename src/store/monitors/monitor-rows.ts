import type { Selectable } from 'kysely'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { splitContent } from '#core/monitors/monitor-content.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type MonitorRecord, type MonitorSettings, type SettingField, settingFields } from '#core/monitors/monitor.ts'
import { settingsBytes } from '#core/monitors/settings-size.ts'
import type { Monitors } from '#store/database/schema.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'
import { openContent, sealContent } from './sealed-content.ts'

type Unmigrated = Exclude<SettingField, keyof Monitors>
/** Each setting is a column of its own name. */
export const settingColumns: Unmigrated extends never
  ? typeof settingFields
  : { 'add a column by a migration, then run npm run schema': Unmigrated } = settingFields

type Sealed = 'request_headers' | 'secret_options'

/** Columns that hold fewer values than their SQL type says: checked before they were written. */
type Narrowed = Omit<MonitorSettings, Sealed> &
  Pick<MonitorRecord, 'status' | 'billing' | 'billing_period' | 'billing_state'>
export type MonitorRow = Omit<Selectable<Monitors>, keyof Narrowed> & Narrowed

export type SettingsColumns = Omit<MonitorSettings, Sealed | 'check_options'> & {
  check_options: string
  settings_bytes: number
} & Record<Sealed | 'content', Buffer | null>

export function toColumns(id: string, settings: MonitorSettings, secrets: Secrets): SettingsColumns {
  const { rest, content } = sealContent(settings, secrets, { column: 'monitors.content', id })
  return {
    ...rest,
    request_headers: seal(settings.request_headers, secrets, { column: 'monitors.request_headers', id }),
    check_options: JSON.stringify(rest.check_options),
    secret_options: seal(settings.secret_options, secrets, { column: 'monitors.secret_options', id }),
    content,
    settings_bytes: settingsBytes(settings),
  }
}

/** `row` has the `settingColumns`, `id` and `content`, and no others. */
export function toSettings(
  { id, content, ...row }: Pick<MonitorRow, SettingField | 'id' | 'content'>,
  secrets: Secrets,
): MonitorSettings {
  const settings = { ...row, ...openSecrets({ id, ...row }, secrets) }
  return openContent(settings, { content, place: { column: 'monitors.content', id } }, secrets)
}

/** The columns a check needs; the rest of a monitor never reaches a location. */
export const checkColumns = [
  'id',
  'version',
  'kind',
  'url',
  'method',
  'timeout_ms',
  'expected_status_min',
  'expected_status_max',
  'expected_statuses',
  'keyword',
  'request_headers',
  'request_body',
  'check_options',
  'secret_options',
  'content',
  'workspace_id',
  'allow_private_target',
  'failure_threshold',
  'keep_evidence',
] as const satisfies readonly (keyof MonitorRow)[]

export function toCheckConfiguration(
  row: Pick<MonitorRow, (typeof checkColumns)[number]>,
  secrets: Secrets,
): CheckConfiguration {
  const { id, content } = row
  const sent = openContent(row, { content, place: { column: 'monitors.content', id } }, secrets)
  const { request_headers: requestHeaders, secret_options: secretOptions } = openSecrets(row, secrets)
  return {
    monitorId: id,
    version: row.version,
    kind: row.kind,
    url: row.url ?? '',
    method: row.method,
    timeoutMs: row.timeout_ms,
    ...statusesToCheck(row),
    keyword: row.keyword,
    requestHeaders,
    requestBody: sent.request_body,
    options: joinOptions(sent.check_options, secretOptions),
    shareKey: shareKeyOf(row.workspace_id, secrets),
    ...(row.allow_private_target ? { mayReachPrivate: true } : {}),
    ...(row.keep_evidence
      ? { evidence: { keepsBodies: !sendsSecrets(row, sent), rounds: row.failure_threshold } }
      : {}),
  }
}

/** What a server is sent may come back in its answer, in forms that are not looked for. */
function sendsSecrets(
  { request_headers: headers, secret_options: options }: Pick<MonitorRow, Sealed>,
  sent: Pick<MonitorRow, 'request_body' | 'check_options'>,
): boolean {
  return headers !== null || options !== null || splitContent(sent).content !== null || capturesAny(sent.check_options)
}

/** What a step captures is mostly the secret of a session. */
function capturesAny({ steps }: Record<string, unknown>): boolean {
  return Array.isArray(steps) && steps.some((step) => typeof step === 'object' && step !== null && 'captures' in step)
}

/** By it a location tells whose checks share its time, without learning whose they are. */
export function shareKeyOf(workspaceId: string, secrets: Pick<Secrets, 'sign'>): string {
  return secrets.sign('share of a location', workspaceId)
}

function seal(values: Record<string, unknown>, secrets: Secrets, place: Place): Buffer | null {
  return Object.keys(values).length === 0 ? null : secrets.encrypt(JSON.stringify(values), place)
}

function openSecrets(
  { id, request_headers: headers, secret_options: options }: Pick<MonitorRow, 'id' | Sealed>,
  secrets: Secrets,
): Pick<MonitorSettings, Sealed> {
  return {
    request_headers: open<string>(headers, secrets, { column: 'monitors.request_headers', id }),
    secret_options: open<unknown>(options, secrets, { column: 'monitors.secret_options', id }),
  }
}

/** What `seal` wrote; its authenticated encryption vouches for the shape. */
function open<Value>(sealed: Buffer | null, secrets: Secrets, place: Place): Record<string, Value> {
  if (sealed === null) return {}
  const values: Record<string, Value> = JSON.parse(secrets.decrypt(sealed, place))
  return values
}
