import type { Evidence } from '#core/incidents/evidence.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { type Verdict, withCleanTexts } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { newSight, type Sight } from '#net/ground/sight.ts'
import { evidenceOf } from './evidence.ts'
import { createFailureStreaks } from './failure-streaks.ts'
import { secretsOf } from './monitor-secrets.ts'

/** What is kept of the failures of one location. */
export type FailureEvidence = {
  /** Where a check of this configuration writes what it sees; null where nothing of its failures is kept. */
  sightFor: (configuration: CheckConfiguration) => Sight | null
  /** Null for a check that did not fail, or in a way that was told before. Never rejects. */
  of: (checked: Checked) => Promise<Evidence | null>
}

export type Checked = { configuration: CheckConfiguration; verdict: Verdict | null; sight: Sight }

export type FailureEvidenceOptions = {
  kinds: Readonly<Partial<Record<string, AnyKind>>>
  isShown: (address: string) => boolean
  /** Told of a bug of ours, for which no result is lost. */
  onFailed: (error: unknown) => void
}

export function createFailureEvidence({ kinds, isShown, onFailed }: FailureEvidenceOptions): FailureEvidence {
  const streaks = createFailureStreaks()
  return {
    sightFor: (configuration) => {
      const { evidence } = configuration
      return evidence === undefined ? null : newSight(evidence.keepsBodies, failingStatuses(configuration))
    },
    of: async ({ configuration, verdict, sight }) => {
      const { monitorId, kind } = configuration
      const rounds = configuration.evidence?.rounds ?? 0
      if (verdict === null || !streaks.isWanted(monitorId, verdict, rounds)) return null
      try {
        const secrets = secretsOf(configuration, kinds[kind]?.secretOptions ?? [])
        return await evidenceOf({ verdict: withCleanTexts(verdict), sight, secrets, isShown })
      } catch (error) {
        onFailed(error)
        return null
      }
    },
  }
}

/** With a text to be found, or with options, what the body holds may be wrong whatever the status is. */
function failingStatuses({
  expectedStatusMin: min,
  expectedStatusMax: max,
  keyword,
  options,
}: CheckConfiguration): (status: number) => boolean {
  if (keyword !== null || Object.keys(options).length > 0) return () => true
  return (status) => status < min || status > max || status >= 400
}
