// What a workspace keeps as a secret, to be looked for in what its jobs print.
import { secretsOf } from '#core/monitors/monitor-secrets.ts'
import type { Database } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** Of each sort the newest: a log is searched for each of them in the thread that takes calls. */
const mostOfSort = 100
/** A shorter text is a word of many logs, and a longer one a document, or a key that is known by its form. */
const secretLength = { least: 6, most: 2_000 }

const sources = [
  ['monitors.request_headers', 'request_headers'],
  ['monitors.secret_options', 'secret_options'],
  ['monitors.call_token', 'call_token'],
  ['alert_channels.destination', 'sealed_destination'],
  ['alert_channels.secret_options', 'secret_options'],
  ['alert_channels.signing_secret', 'signing_secret'],
] as const satisfies readonly (readonly [column: Place['column'], stored: string])[]

/** The secrets of monitors and contacts of a workspace, in the clear, each once. */
export async function readKnownSecrets(
  { pool }: Pick<Database, 'pool'>,
  secrets: Pick<Secrets, 'decrypt'>,
  workspaceId: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ column: Place['column']; id: string; sealed: Buffer }>({
    name: 'read_known_secrets',
    text: sources.map(statementOf).join('\nunion all\n'),
    values: [workspaceId, mostOfSort],
  })
  const found = rows.flatMap(({ column, id, sealed }) => textsOf(column, secrets.decrypt(sealed, { column, id })))
  return [...new Set(found)].filter(({ length }) => length >= secretLength.least && length <= secretLength.most)
}

function statementOf([column, stored]: (typeof sources)[number]): string {
  const [table] = column.split('.')
  return `(
  select '${column}' as "column", id::text, ${stored} as sealed
  from ${table}
  where workspace_id = $1
    and ${stored} is not null
  order by created_at desc, id
  limit $2
)`
}

function textsOf(column: Place['column'], opened: string): string[] {
  const nothing = { requestHeaders: {}, requestBody: null, options: {} }
  if (column === 'monitors.request_headers') return secretsOf({ ...nothing, requestHeaders: recordOf(opened) }, [])
  if (column === 'monitors.secret_options' || column === 'alert_channels.secret_options') {
    const options: Record<string, unknown> = recordOf(opened)
    return secretsOf({ ...nothing, options }, Object.keys(options))
  }
  // An address as a whole, since words of its path may be anybody's.
  return [opened.replace(/^https?:\/\//i, '')]
}

/** What the store sealed; its authenticated encryption vouches for the shape. */
function recordOf<Value>(opened: string): Record<string, Value> {
  const values: Record<string, Value> = JSON.parse(opened)
  return values
}
