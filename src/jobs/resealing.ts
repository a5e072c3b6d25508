import { listSecondFactors, replaceSecondFactor, type SecondFactor } from '#store/people/second-factors.ts'
import { type Position, resealStep } from '#store/installation/resealing.ts'
import { noteValuesLeft, readValuesLeft } from '#store/installation/sealed-counts.ts'
import { listSealedColumns, type SealedColumn } from '#store/installation/sealed-columns.ts'
import { readCurrentKey, readKeyChanges } from '#store/installation/secret-keys.ts'
import { keyIdOf } from '#store/database/secrets.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const everyMs = 10_000
/** One value may have 700 kB. */
const atOnce = 50
/** What is left after a run waits for the next one, and so does what another transaction held. */
const longestRunMs = 60_000

export type ResealParts = Pick<JobParts, 'database' | 'secrets' | 'log' | 'resealsSecondFactors'>

/** After a change of the secret key, seals by the current one what former ones sealed. Any number of processes may. */
export function resealingChore(parts: ResealParts): Chore {
  return {
    name: 'reseal_secrets',
    everyMs,
    run: async (signal) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)])
      await resealAll(parts, ends)
    },
  }
}

/** Returns how many values were sealed anew. */
export async function resealAll(parts: ResealParts, signal: AbortSignal): Promise<number> {
  const { database, secrets } = parts
  const changes = await readKeyChanges(database)
  if (changes === null || changes.inUse.length === 0) return 0
  // A process that has not been restarted yet would seal by the key that is to go.
  if ((await readCurrentKey(database)) !== secrets.identity) return 0
  const done: Done = { resealed: 0, failed: 0 }
  for (const at of listSealedColumns()) await resealColumn(parts, { at, done, signal })
  await resealSecondFactors(parts, { first: keyIdOf(changes.first), done, signal })
  await note(parts, changes.inUse, done)
  return done.resealed
}

type Done = { resealed: number; failed: number }

async function note({ database, secrets, log }: ResealParts, former: readonly string[], done: Done): Promise<void> {
  const { resealed, failed } = done
  if (failed > 0) log.warn('Stored secrets do not open with the key that they name.', { number: failed })
  if (resealed === 0 && (await readValuesLeft(database)) !== null) return
  const left = await noteValuesLeft(database, { key: secrets.identity, former })
  log.info('Secrets were encrypted with the current key.', { number: resealed, left })
}

async function resealColumn(
  { database, secrets }: ResealParts,
  { at, done, signal }: { at: SealedColumn; done: Done; signal: AbortSignal },
): Promise<void> {
  let position: Position = null
  while (!signal.aborted) {
    const step = await resealStep(database, secrets, { at, position, limit: atOnce })
    done.resealed += step.resealed
    done.failed += step.failed
    position = step.position
    if (position === null) break
  }
}

/** better-auth seals these by itself, and is loaded only where there are any. */
async function resealSecondFactors(
  parts: ResealParts,
  { first, done, signal }: { first: string; done: Done; signal: AbortSignal },
): Promise<void> {
  const { database, secrets } = parts
  const keys = secrets.identities.former.map(keyIdOf)
  let after: string | null = null
  while (!signal.aborted) {
    const found: SecondFactor[] = await listSecondFactors(database, { keys, first, after, limit: atOnce })
    if (found.length === 0) break
    const reseal = await parts.resealsSecondFactors()
    for (const factor of found) {
      after = factor.id
      const sealed = await openedAnew(factor, reseal)
      if (sealed === null) done.failed += 1
      else if (await replaceSecondFactor(database, factor, sealed)) done.resealed += 1
    }
  }
}

async function openedAnew(
  { secret, codes }: SecondFactor,
  reseal: (sealed: string) => Promise<string>,
): Promise<Pick<SecondFactor, 'secret' | 'codes'> | null> {
  try {
    return { secret: await reseal(secret), codes: await reseal(codes) }
  } catch {
    return null
  }
}
