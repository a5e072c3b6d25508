import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { checkTimeMs } from '#core/monitors/kind-traits.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type MonitorSettings, monitorChangeSchema, monitorInputSchema } from '#core/monitors/monitor.ts'
import type { Verdict } from '#core/results/result.ts'
import { type TrialOutcome, type TrialRecord, trialSchema } from '#core/monitors/trial.ts'
import { kinds } from '#kinds/index.ts'
import { shareKeyOf } from '#store/monitors/monitor-rows.ts'
import { detailsOf } from '#store/results/results.ts'
import { offerChange, offerCreate } from './monitor-price.ts'
import { findTarget } from './monitor-surroundings.ts'
import { mayAllowPrivateTarget } from './private-target.ts'
import { assertClaimed } from '#operations/workspaces/assert-claimed.ts'
import { type Context, type Reply } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const tag = 'Monitors'
/** A stranger could have us call any address, at once and as often as writes are allowed. */
const trials = 'Trials of checks'
const query = {
  schema: z.strictObject({
    location: z.string().optional().describe('Where the check is made. Default: the first of the monitor.'),
  }),
}
const errors = [401, 403, 422, 503] as const
const success = {
  status: 200,
  description: 'What the check found. The result is not kept.',
  schema: z.strictObject({ data: trialSchema }),
} as const

const tryNew = defineOperation({
  name: 'try_monitor',
  method: 'POST',
  path: '/monitors/try',
  scope: 'write',
  surface: 'programs',
  subject: 'monitor',
  takesLong: true,
  changesNothing: true,
  tag,
  summary: 'Run the check of a new monitor once',
  description:
    'Accepts and refuses the same as create. Counts as a write. In a workspace that no person has claimed and nobody paid for: `claim_required`.',
  query,
  body: { schema: monitorInputSchema, isRequired: true, schemaName: 'MonitorInput' },
  errors,
  success,
  run: async (context, { body: input, query: { location } }) => {
    const { caller, services } = context
    const { workspaceId } = caller
    const buyer = {
      workspaceId,
      isStranger: false,
      services,
      mayAllowPrivateTarget: await mayAllowPrivateTarget(context),
    }
    const { settings } = await services.database.transaction(async (tx) => {
      await assertClaimed(tx, workspaceId, trials)
      return offerCreate(tx, buyer, input)
    })
    return tryOnce(context, settings, location)
  },
})

const tryChange = defineOperation({
  name: 'try_monitor_change',
  method: 'POST',
  path: '/monitors/{id}/try',
  scope: 'write',
  surface: 'programs',
  subject: 'monitor',
  takesLong: true,
  changesNothing: true,
  tag,
  summary: 'Run the check of a changed monitor once',
  description: 'Accepts and refuses the same as update. Without a body, nothing is different.',
  query,
  body: { schema: monitorChangeSchema.optional(), isRequired: false, schemaName: 'MonitorChange' },
  errors: [...errors, 404],
  success,
  find: findTarget,
  run: async (context, { target, body, query: { location } }) => {
    const { caller, services } = context
    const { workspaceId } = caller
    const allowed = { mayAllowPrivateTarget: await mayAllowPrivateTarget(context) }
    const changer = { workspaceId, monitorId: target.id, services, ...allowed }
    const { settings } = await services.database.transaction(async (tx) => {
      await assertClaimed(tx, workspaceId, trials)
      return offerChange(tx, changer, body ?? { name: target.name })
    })
    return tryOnce(context, settings, location)
  },
})

export const tryMonitorOperations = [tryNew, tryChange]

/** No transaction is open here, because a check may take a minute. */
async function tryOnce(context: Context, settings: MonitorSettings, wanted: string | undefined): Promise<Reply> {
  const { caller, services } = context
  const kind = kinds[settings.kind]
  if (kind.isPassive)
    throw invalidFields({ kind: [`A monitor of the kind ${settings.kind} is not checked. It waits for calls.`] })
  const location = locationOf(settings, wanted)
  const outcome = await services.tryCheck({
    workspaceId: caller.workspaceId,
    location,
    configuration: {
      ...configurationOf(settings),
      shareKey: shareKeyOf(caller.workspaceId, services.secrets),
    },
    deadlineMs: checkTimeMs({ kind: settings.kind, timeoutMs: settings.timeout_ms }),
  })
  const data = toRecord(verdictOf(outcome, location), { location, kind: settings.kind })
  return { status: 200, body: { data } }
}

function locationOf({ locations }: MonitorSettings, wanted: string | undefined): string {
  const location = wanted ?? locations[0]
  if (location === undefined || !locations.includes(location))
    throw invalidFields({ location: [`Must be one of the monitor's locations: ${locations.join(', ')}.`] })
  return location
}

/** The configuration that a prober gets, under an id that no monitor has. */
function configurationOf(settings: MonitorSettings): CheckConfiguration {
  return {
    monitorId: randomUUID(),
    version: 0,
    kind: settings.kind,
    url: settings.url ?? '',
    method: settings.method,
    timeoutMs: settings.timeout_ms,
    ...statusesToCheck(settings),
    keyword: settings.keyword,
    requestHeaders: settings.request_headers,
    requestBody: settings.request_body,
    options: joinOptions(settings.check_options, settings.secret_options),
    ...(settings.allow_private_target ? { mayReachPrivate: true } : {}),
  }
}

function verdictOf(outcome: TrialOutcome, location: string): Verdict {
  switch (outcome.type) {
    case 'checked':
      return outcome.verdict
    case 'busy':
      throw fail('unavailable', 'Other checks of this kind are still running. Try again in a moment.', again)
    case 'offline':
      throw fail('unavailable', `The location ${location} is offline. Choose another one, or try again later.`, again)
    case 'untold':
      throw fail(
        'unavailable',
        `The location ${location} could not check the target, because the location itself has a problem.`,
        again,
      )
    case 'silent':
      throw fail('unavailable', `The location ${location} did not answer in time.`, again)
  }
}

const again = { retryAfterSeconds: 5 }

function toRecord(verdict: Verdict, { location, kind }: { location: string; kind: string }): TrialRecord {
  const { status, statusCode, latencyMs, error, phases, details } = verdict
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = phases
  return {
    status,
    status_code: statusCode,
    latency_ms: latencyMs,
    location_code: location,
    error,
    details: detailsOf(kind, [dnsMs, connectMs, tlsMs, ttfbMs, transferMs], details),
  }
}
