import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { TrialOutcome } from '#core/monitors/trial.ts'
import { fail } from '#core/language/error.ts'
import { type Exposure, exposureSchema, isVerifiable, verifyingLocations } from '#core/software/exposure.ts'
import { locationScanMs, readSeen } from '#core/software/location-scan.ts'
import { listLocations } from '#store/installation/locations.ts'
import {
  addVerification,
  type LocationScan,
  readScanned,
  type Scanned,
} from '#store/software/exposure-verifications.ts'
import { requestScan } from '#store/software/software-scans.ts'
import { assertClaimed } from '#operations/workspaces/assert-claimed.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findOneExposure } from './exposures.ts'

/** Each verification makes up to 15 requests from each location. */
const againMs = 60_000

const verify = defineOperation({
  name: 'verify_exposure',
  method: 'POST',
  path: '/exposures/{id}/verify',
  scope: 'write',
  surface: 'programs',
  subject: 'monitor',
  takesLong: true,
  tag: 'Software and vulnerabilities',
  summary: 'Scan a website from several locations, to prove that a vulnerability is fixed',
  description:
    `Answers within a minute with what up to ${verifyingLocations} locations saw; once their versions are compared, ` +
    '`verification.result` says what that proves. It has the list of software scanned as well. At most once a minute. ' +
    'In a workspace that no person has claimed and nobody paid for: `claim_required`.',
  errors: [401, 403, 404, 422, 503],
  success: {
    status: 202,
    description: 'The exposure, with what the locations saw.',
    schema: z.strictObject({ data: exposureSchema }),
  },
  find: findVerifiable,
  run: async (context, { target }) => {
    const { services, now } = context
    const { exposure, monitorKey, configuration, locations } = target
    const scans = await scanFrom(await choose(services, locations), {
      context,
      configuration: { ...configuration, looksFor: exposure.product },
    })
    await services.database.transaction(async (tx) => {
      await addVerification(tx, { exposureId: exposure.id, product: exposure.product, at: now, scans })
      await requestScan(tx, monitorKey)
    })
    const { exposure: after } = await findOneExposure(context, { id: exposure.id })
    return { status: 202, body: { data: after } }
  },
})

export const verifyExposureOperations = [verify]

type Verifiable = Awaited<ReturnType<typeof findOneExposure>> & Scanned & { monitorKey: string }

async function findVerifiable(context: Context, path: Record<string, string>): Promise<Verifiable> {
  const { services, caller, now } = context
  const found = await findOneExposure(context, path)
  const { exposure, monitorKey } = found
  assertVerifiable(exposure, now)
  await services.database.transaction((tx) => assertClaimed(tx, caller.workspaceId, 'Scans from locations'))
  const scanned = monitorKey === null ? undefined : await readScanned(services.database, services.secrets, monitorKey)
  if (monitorKey === null || scanned === undefined)
    throw fail('not_verifiable', 'The monitor was deleted, so nothing can be scanned any more.')
  return { ...found, ...scanned, monitorKey }
}

function assertVerifiable(exposure: Exposure, now: Date): void {
  if (!isVerifiable(exposure)) throw fail('not_verifiable', `Locations cannot see this software. ${exposure.next_step}`)
  if (exposure.outcome === 'proved') throw fail('not_verifiable', 'The fix is proved already.')
  const last = exposure.verification
  const leftMs = last === null ? 0 : Date.parse(last.asked_at) + againMs - now.getTime()
  if (leftMs > 0)
    throw fail('rate_limited', 'The last verification is less than a minute old.', {
      retryAfterSeconds: Math.ceil(leftMs / 1000),
    })
}

/**
 * The monitor's own locations first, and then others, as long as they are online. A location on a machine of its own
 * comes before one that shares it with a chosen one: two locations of one machine see the same.
 */
async function choose(services: Services, own: readonly string[]): Promise<string[]> {
  const known = (await listLocations(services.database)).map(({ code }) => code)
  const online = [...new Set([...own, ...known])].filter((code) => services.isOnline(code))
  const machines = new Set<string | null>()
  const apart = online.filter((code) => {
    const machine = services.witnessOf(code)
    if (machines.has(machine)) return false
    machines.add(machine)
    return true
  })
  const chosen = [...new Set([...apart, ...online])].slice(0, verifyingLocations)
  if (chosen.length > 0) return chosen
  throw fail('unavailable', 'No location is online. Try again later.', { retryAfterSeconds: 60 })
}

/** No transaction is open here, because a scan may take half a minute. */
function scanFrom(
  locations: readonly string[],
  { context, configuration }: { context: Context; configuration: CheckConfiguration },
): Promise<LocationScan[]> {
  const { services, caller } = context
  return Promise.all(
    locations.map(async (location) => {
      const outcome = await services.tryCheck({
        workspaceId: caller.workspaceId,
        location,
        configuration: { ...configuration, monitorId: randomUUID(), version: 0, timeoutMs: locationScanMs },
        deadlineMs: locationScanMs,
      })
      return { location, scannedAt: new Date(), ...sightOf(outcome) }
    }),
  )
}

const unseen = { version: null, evidence: null, problem: null }

function sightOf(outcome: TrialOutcome): Omit<LocationScan, 'location' | 'scannedAt'> {
  if (outcome.type !== 'checked') return { saw: 'failed', ...unseen, problem: problems[outcome.type] }
  const { verdict } = outcome
  const seen = readSeen(verdict)
  if (seen === null) return { saw: 'failed', ...unseen, problem: verdict.error ?? 'The location cannot scan software.' }
  return { ...unseen, ...seen }
}

const problems: Readonly<Record<Exclude<TrialOutcome['type'], 'checked'>, string>> = {
  busy: 'Other checks of this kind were still running.',
  offline: 'The location was offline.',
  untold: 'The location itself had a problem.',
  silent: 'The location did not answer in time.',
}
