import type { Advisory } from '#core/software/advisory.ts'
import { AdvisoryError } from '#advisories/advisory-error.ts'
import type { FeedStep } from './feed.ts'

/** Number of records that are stored together. */
const recordsAtOnce = 250

/** A record that cannot be read is reported in `skipped`, and the others are still read. */
export function readRecords(
  records: readonly unknown[],
  read: (record: unknown) => Advisory,
  cursor: string | null = null,
): FeedStep {
  const step: FeedStep = { advisories: [], skipped: [], cursor }
  for (const record of records) {
    try {
      step.advisories.push(read(record))
    } catch (error) {
      if (!(error instanceof AdvisoryError)) throw error
      step.skipped.push(error.message)
    }
  }
  return step
}

/** Gathers single records into steps. */
export async function* inSteps(
  records: AsyncIterable<{ name: string; record: unknown }>,
  read: (record: unknown) => Advisory,
): AsyncGenerator<FeedStep> {
  let waiting: { name: string; record: unknown }[] = []
  for await (const one of records) {
    waiting.push(one)
    if (waiting.length < recordsAtOnce) continue
    yield namedStep(waiting, read)
    waiting = []
  }
  if (waiting.length > 0) yield namedStep(waiting, read)
}

function namedStep(
  waiting: readonly { name: string; record: unknown }[],
  read: (record: unknown) => Advisory,
): FeedStep {
  const good = waiting.filter(({ record }) => record !== null)
  const step = readRecords(
    good.map(({ record }) => record),
    read,
  )
  const broken = waiting.filter(({ record }) => record === null)
  return {
    ...step,
    skipped: [...step.skipped, ...broken.map(({ name }) => `${name} cannot be unpacked, or is no JSON.`)],
  }
}
