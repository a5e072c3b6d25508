import type { Result } from '#core/results/result.ts'
import { isMonitorId } from '#core/monitors/monitor-id.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { CodecError, decodeResults } from './codec.ts'
import { locationOf } from './nats-subjects.ts'

/**
 * What a message of the stream holds. The broker verifies its subject alone: a message is refused as a whole when a
 * result says another location, or belongs to another partition than its subject.
 */
export function resultsOf(subject: string, bytes: Uint8Array): Result[] {
  const location = locationOf(subject)
  const partition = partitionOfSubject(subject)
  const results = decodeResults(bytes)
  for (const result of results) {
    if (result.location !== location) throw new CodecError('A result says another location than its sender has.')
    if (!isMonitorId(result.monitorId)) throw new CodecError('A result names no monitor.')
    if (partitionOf(result.monitorId) !== partition) throw new CodecError('A result is in a wrong partition.')
  }
  return results
}

export function partitionOfSubject(subject: string): number {
  return Number(subject.split('.')[2])
}
