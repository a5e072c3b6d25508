import type { Selectable } from 'kysely'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type MonitorRecord, type MonitorSettings, type SettingField, settingFields } from '#core/monitors/monitor.ts'
import type { Monitors } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'
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
} & Record<Sealed | 'content', Buffer | null>

export function toColumns(settings: MonitorSettings, secrets: Secrets): SettingsColumns {
  const { rest, content } = sealContent(settings, secrets)
  return {
    ...rest,
    request_headers: seal(settings.request_headers, secrets),
    check_options: JSON.stringify(rest.check_options),
    secret_options: seal(settings.secret_options, secrets),
    content,
  }
}

/** `row` has the `settingColumns` and `content`, and no others. */
export function toSettings(
  { content, ...row }: Pick<MonitorRow, SettingField | 'content'>,
  secrets: Secrets,
): MonitorSettings {
  const settings = {
    ...row,
    request_headers: open<string>(row.request_headers, secrets),
    secret_options: open<unknown>(row.secret_options, secrets),
  }
  return openContent(settings, content, secrets)
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
  'keyword',
  'request_headers',
  'request_body',
  'check_options',
  'secret_options',
  'content',
] as const satisfies readonly (keyof MonitorRow)[]

export function toCheckConfiguration(
  row: Pick<MonitorRow, (typeof checkColumns)[number]>,
  secrets: Secrets,
): CheckConfiguration {
  const sent = openContent(row, row.content, secrets)
  return {
    monitorId: row.id,
    version: row.version,
    kind: row.kind,
    url: row.url ?? '',
    method: row.method,
    timeoutMs: row.timeout_ms,
    expectedStatusMin: row.expected_status_min,
    expectedStatusMax: row.expected_status_max,
    keyword: row.keyword,
    requestHeaders: open<string>(row.request_headers, secrets),
    requestBody: sent.request_body,
    options: joinOptions(sent.check_options, open<unknown>(row.secret_options, secrets)),
  }
}

function seal(values: Record<string, unknown>, secrets: Secrets): Buffer | null {
  return Object.keys(values).length === 0 ? null : secrets.encrypt(JSON.stringify(values))
}

/** What `seal` wrote; its authenticated encryption vouches for the shape. */
function open<Value>(sealed: Buffer | null, secrets: Secrets): Record<string, Value> {
  if (sealed === null) return {}
  const values: Record<string, Value> = JSON.parse(secrets.decrypt(sealed))
  return values
}
