// The addresses at which jobs call Uptime Kuma and Healthchecks, answered here for those that were imported
// (docs/decisions/heartbeats.md, "Addresses of other tools").
import { z } from 'zod'
import { type Call, callOf, maxNoteLength } from './heartbeat.ts'

/** Uptime Kuma's, below the root of the service; the token follows. */
export const pushPath = '/api/push/'
/** That of Healthchecks, and the one that monitors here have themselves. */
const pingPath = '/ping/'

/** Shorter ones could be found by trying. Uptime Kuma makes them of 10 to 32 characters. */
const pushForm = /^\/api\/push\/[\w-]{10,100}$/
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const uuidForm = new RegExp(`^${uuid}$`, 'i')
const pingForm = new RegExp(`^/ping/(?:${uuid}|[\\w-]{16,100}/[\\w-]{1,100})$`)

/** The path of an address that may be imported. */
export const importedPath = z
  .string()
  .refine(
    (path) => pushForm.test(path) || pingForm.test(path),
    'Must be /api/push/<token> with at least 10 characters, /ping/<uuid> or /ping/<key>/<slug>.',
  )
  .describe('Below the root of the service, such as `/api/push/…` of Uptime Kuma or `/ping/…` of Healthchecks.')

export const importedCallsSchema = z.strictObject({
  addresses: z
    .array(
      z.strictObject({
        path: importedPath,
        monitor_id: z
          .uuid()
          .toLowerCase()
          .nullable()
          .describe('A heartbeat, webhook or push_metric monitor; null: the address leads nowhere any more.'),
      }),
    )
    .min(1)
    .max(5_000),
})
export type ImportedCallsInput = z.infer<typeof importedCallsSchema>

/** One reading of the address that was called: whose it would be, and what the call would say. */
export type CallReading = {
  /** The secret of a monitor's own address, or the path of an imported one. */
  address: { type: 'own'; token: string } | { type: 'imported'; path: string }
  /** Null where the end of the address says nothing that is known. */
  call: Call | null
  /** Whether nothing follows, so that the body of a webhook may state a status. */
  isBare: boolean
}

/** What `/ping/` with these parts may mean, the monitor's own address first. */
export function readingsOfPing([token = '', first, second]: readonly (string | undefined)[]): CallReading[] {
  const readings: CallReading[] = []
  if (second === undefined) {
    const isBare = first === undefined
    readings.push({ address: { type: 'own', token }, call: callOf(first ?? null), isBare })
    if (uuidForm.test(token)) readings.push(pingReading(token.toLowerCase(), first))
  }
  const path = `${pingPath}${token}/${first ?? ''}`
  if (!uuidForm.test(token) && pingForm.test(path)) readings.push(pingReading(`${token}/${first}`, second))
  return readings
}

function pingReading(rest: string, suffix: string | undefined): CallReading {
  return {
    address: { type: 'imported', path: pingPath + rest },
    call: callOf(suffix ?? null),
    isBare: suffix === undefined,
  }
}

export type PushQuery = { status?: string | undefined; msg?: string | undefined; ping?: string | undefined }

/** A longer run is a slip of the script that measured it. */
const longestMs = 7 * 86_400_000

/** What a call of Uptime Kuma's push address says: any status but `up` is a failure there. */
export function readingOfPush(token: string, { status = '', msg = '', ping = '' }: PushQuery): CallReading {
  const measured = Math.round(Number.parseFloat(ping))
  const tookMs = measured > 0 && measured <= longestMs ? measured : null
  const call: Call =
    status === '' || status === 'up'
      ? { type: 'succeeded', exitCode: null, note: null, tookMs }
      : { type: 'failed', exitCode: null, note: msg === '' ? null : msg.slice(0, maxNoteLength), tookMs }
  return { address: { type: 'imported', path: pushPath + token }, call, isBare: false }
}
