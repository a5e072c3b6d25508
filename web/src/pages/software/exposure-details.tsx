import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Exposure } from '../../api/monitors.ts'
import { lastedText, spanText } from '../incidents/incident-parts.tsx'
import { RunningFor } from '../incidents/running-for.tsx'

const outcomeWords: Readonly<Record<NonNullable<Exposure['outcome']>, MessageDescriptor>> = {
  proved: msg`the fix is proved`,
  not_seen: msg`not seen any more`,
  updated: msg`another version is listed, which no scans from locations have proved`,
  not_listed: msg`not in the list any more`,
  not_affected: msg`not affected any more by the advisory`,
  withdrawn: msg`withdrawn, or not listed as exploited any more`,
  ignored: msg`ignored`,
  monitor_deleted: msg`the monitor was deleted`,
}

/** Since when or for how long, what became of it, and what each location saw at last. */
export function ExposureDetails({ exposure }: { exposure: Exposure }): ReactNode {
  const { opened_at: openedAt, closed_at: closedAt, outcome, fix_version: fix, verification } = exposure
  return (
    <>
      {closedAt === null ? (
        <RunningFor since={openedAt} />
      ) : (
        lastedText(spanText(Date.parse(closedAt) - Date.parse(openedAt)))
      )}
      {' · '}
      {outcome === null ? (fix === null ? t`no fix is known` : t`fixed in ${fix}`) : i18n._(outcomeWords[outcome])}
      {verification !== null && <span className="block">{scanText(verification)}</span>}
    </>
  )
}

const sightWords: Readonly<Record<'no_version' | 'nothing' | 'failed', MessageDescriptor>> = {
  no_version: msg`no version`,
  nothing: msg`nothing`,
  failed: msg`could not look`,
}

/** What each location saw at last: "boston: 1.27.1, chennai: could not look". */
function scanText({ scans }: NonNullable<Exposure['verification']>): string {
  return scans
    .map(({ location_code: code, saw, version }) => {
      const seen = saw === 'version' ? (version ?? '') : i18n._(sightWords[saw])
      return `${code}: ${seen}`
    })
    .join(', ')
}
