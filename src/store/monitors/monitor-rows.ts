import type { Selectable } from 'kysely'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type MonitorRecord, type MonitorSettings, type SettingField, settingFields } from '#core/monitors/monitor.ts'
import type { Monitors } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'

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
} & Record<Sealed, Buffer | null>

export function toColumns(settings: MonitorSettings, secrets: Secrets): SettingsColumns {
  return {
    ...settings,
    request_headers: seal(settings.request_headers, secrets),
    check_options: JSON.stringify(settings.check_options),
    secret_options: seal(settings.secret_options, secrets),
  }
}

/** `row` has the `settingColumns` and no others. */
export function toSettings(row: Pick<MonitorRow, SettingField>, secrets: Secrets): MonitorSettings {
  return {
    ...row,
    request_headers: open<string>(row.request_headers, secrets),
    secret_options: open<unknown>(row.secret_options, secrets),
  }
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
] as const satisfies readonly (keyof MonitorRow)[]

export function toCheckConfiguration(
  row: Pick<MonitorRow, (typeof checkColumns)[number]>,
  secrets: Secrets,
): CheckConfiguration {
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
    requestBody: row.request_body,
    options: joinOptions(row.check_options, open<unknown>(row.secret_options, secrets)),
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
