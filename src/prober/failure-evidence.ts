import { type Evidence, failureKey } from '#core/incidents/evidence.ts'
import { type View, viewOf } from '#core/incidents/view.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { isExpectedStatus } from '#core/monitors/expected-statuses.ts'
import { type Verdict, withCleanTexts } from '#core/results/result.ts'
import type { LoadKind } from '#kinds/kind.ts'
import { newSight, type Sight } from '#net/ground/sight.ts'
import { evidenceOf } from './evidence.ts'
import { createFailureStreaks } from './failure-streaks.ts'
import { secretsOf } from '#core/monitors/monitor-secrets.ts'

/** What is kept of the failures of one location. */
export type FailureEvidence = {
  /** Where a check of this configuration writes what it sees; null where nothing of its failures is kept. */
  sightFor: (configuration: CheckConfiguration) => Sight | null
  /** Null for a check that did not fail, or in a way that was told before. Never rejects. */
  of: (checked: Checked) => Promise<Evidence | null>
  /** What a check saw in short, whether it failed or not; null where it told nothing. Never rejects. */
  viewOf: (checked: Checked) => Promise<View | null>
}

export type Checked = { configuration: CheckConfiguration; verdict: Verdict | null; sight: Sight }
type Told = Checked & { verdict: Verdict }

export type FailureEvidenceOptions = {
  kinds: Readonly<Partial<Record<string, LoadKind>>>
  isShown: (address: string) => boolean
  /** Told of a bug of ours, for which no result is lost. */
  onFailed: (error: unknown, monitorId: string) => void
}

export function createFailureEvidence({ kinds, isShown, onFailed }: FailureEvidenceOptions): FailureEvidence {
  const streaks = createFailureStreaks()
  async function told({ configuration, verdict, sight }: Told): Promise<Evidence | null> {
    const { monitorId, kind } = configuration
    try {
      const { secretOptions = [] } = (await kinds[kind]?.()) ?? {}
      const secrets = secretsOf(configuration, secretOptions)
      return await evidenceOf({ verdict: withCleanTexts(verdict), sight, secrets, isShown })
    } catch (error) {
      onFailed(error, monitorId)
      return null
    }
  }
  return {
    sightFor: (configuration) => {
      const { evidence, monitorId } = configuration
      if (evidence === undefined) return null
      const mayFail = failingStatuses(configuration)
      const isKnown = knownStatuses(configuration, (key) => streaks.isTold(monitorId, key, evidence.rounds))
      return newSight(evidence.keepsBodies, (status) => mayFail(status) && !isKnown(status))
    },
    of: async ({ configuration, verdict, sight }) => {
      const { monitorId } = configuration
      const rounds = configuration.evidence?.rounds ?? 0
      if (verdict === null || !streaks.isWanted(monitorId, verdict, rounds)) return null
      return told({ configuration, verdict, sight })
    },
    viewOf: async ({ configuration, verdict, sight }) => {
      if (verdict === null) return null
      const seen = await told({ configuration, verdict, sight: { ...sight, keepsBodies: false, page: null } })
      return seen === null ? null : viewOf(verdict, seen)
    },
  }
}

/** With a text to be found, or with options, what the body holds may be wrong whatever the status is. */
function failingStatuses(configuration: CheckConfiguration): (status: number) => boolean {
  const { keyword, options } = configuration
  if (keyword !== null || Object.keys(options).length > 0) return () => true
  return (status) => !isExpectedStatus(status, configuration) || status >= 400
}

/**
 * Of an outage that lasts no body is copied in each round: a status that is not expected is what `judgeWeb` tells
 * first, whatever the body says. Steps of transactions expect statuses of their own.
 */
function knownStatuses(
  configuration: CheckConfiguration,
  isTold: (key: string) => boolean,
): (status: number) => boolean {
  if ('steps' in configuration.options) return () => false
  return (status) => !isExpectedStatus(status, configuration) && isTold(statusKey(status))
}

function statusKey(statusCode: number): string {
  return failureKey({ error: null, statusCode, details: { failed_assertion: 'status' } })
}
