import type { Place, Secrets } from '#store/database/secrets.ts'
import { addressKeysOf } from '#store/incidents/evidence.ts'

/** Where sealed values of one column of `Place` lie. */
export type SealedColumn = Pick<Place, 'column'> & {
  table: string
  /** The columns of a key by which rows have an order, with their types. */
  key: readonly (readonly [name: string, type: string])[]
  /** The sealed bytes, in SQL; null in rows that have none. */
  value: string
  /** The id of the place, in SQL. */
  placeId: string
  /** What puts `sealed.value` in the place of the old bytes, in SQL. */
  set: string
  /** What is signed along with the text, and stored as `sealed.signed`. */
  signed?: (text: string, secrets: Pick<Secrets, 'sign'>) => string
}

const ids = { key: [['id', 'uuid']], placeId: 'id::text' } as const

/** `stored` is the column that holds it, where that has another name. */
function bytesOf(column: Place['column'], stored?: string): SealedColumn {
  const [table = '', name = ''] = column.split('.')
  const value = stored ?? name
  return { ...ids, column, table, value, set: `${value} = sealed.value` }
}

/** PostgreSQL breaks base64 into lines. */
const sealedText = `to_jsonb(translate(encode(sealed.value, 'base64'), E'\\n', ''))`

/**
 * Every place that holds something sealed. A change of the secret key seals each of them anew, and so a new column of
 * `Place` needs its entry here.
 */
export const sealedColumns: Readonly<Record<Place['column'], readonly SealedColumn[]>> = {
  'monitors.request_headers': [bytesOf('monitors.request_headers')],
  'monitors.secret_options': [bytesOf('monitors.secret_options')],
  'monitors.content': [bytesOf('monitors.content')],
  'monitors.call_token': [bytesOf('monitors.call_token')],
  'monitor_state.run_log': [
    { ...bytesOf('monitor_state.run_log'), key: [['monitor_key', 'bigint']], placeId: 'monitor_key::text' },
  ],
  'idempotency_keys.last_content': [
    {
      ...bytesOf('idempotency_keys.last_content'),
      key: [
        ['workspace_id', 'uuid'],
        ['key', 'text'],
      ],
      placeId: 'monitor_id::text',
    },
  ],
  'alert_channels.destination': [bytesOf('alert_channels.destination', 'sealed_destination')],
  'alert_channels.secret_options': [bytesOf('alert_channels.secret_options')],
  'alert_channels.signing_secret': [
    bytesOf('alert_channels.signing_secret'),
    bytesOf('alert_channels.signing_secret', 'former_secret'),
  ],
  'status_subscribers.signing_secret': [bytesOf('status_subscribers.signing_secret')],
  'agent_signing_keys.private_key': [{ ...bytesOf('agent_signing_keys.private_key'), key: [['id', 'text']] }],
  'payment_attempts.sealed_payload': [bytesOf('payment_attempts.sealed_payload')],
  'jobs.person_mail': [
    {
      column: 'jobs.person_mail',
      table: 'graphile_worker._private_jobs',
      key: [['id', 'bigint']],
      value: `case when payload ->> 'notice' = 'person_mail' then decode(payload ->> 'sealed', 'base64') end`,
      placeId: `''`,
      // A worker that has the job writes nothing of its payload back.
      set: `payload = jsonb_set(payload::jsonb, '{sealed}', ${sealedText})::json`,
    },
  ],
  'settings.value': [
    {
      column: 'settings.value',
      table: 'settings',
      key: [['name', 'text']],
      value: `case when name in ('push_keys', 'signing_keys') then decode(value #>> '{}', 'base64') end`,
      placeId: 'name',
      set: `value = ${sealedText}`,
    },
  ],
  'incident_evidence.content': [
    {
      ...bytesOf('incident_evidence.content'),
      set: `content = sealed.value, address_keys = string_to_array(sealed.signed, ',')`,
      signed: (text, secrets) => addressKeysOf(text, secrets).join(','),
    },
  ],
  'location_views.content': [bytesOf('location_views.content')],
  'monitor_routes.content': [bytesOf('monitor_routes.content')],
  'import_steps.content': [
    {
      ...bytesOf('import_steps.content'),
      key: [
        ['import_id', 'uuid'],
        ['position', 'integer'],
      ],
      placeId: `import_id || ' ' || position`,
    },
  ],
  'identity_providers.client_secret': [
    { ...bytesOf('identity_providers.client_secret'), key: [['workspace_id', 'uuid']], placeId: 'workspace_id::text' },
  ],
}

export function listSealedColumns(): readonly SealedColumn[] {
  return Object.values(sealedColumns).flat()
}
