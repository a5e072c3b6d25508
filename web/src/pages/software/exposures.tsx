import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Exposure, MonitorRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { lastedText, spanText } from '../incidents/incident-parts.tsx'
import { RunningFor } from '../incidents/running-for.tsx'
import { exposuresKey, findingsKey } from './software-key.ts'

const readAgainMs = 10_000

type ExposuresProps = { monitor: MonitorRecord; mayWrite: boolean }

/** What is known to be exploited in the software of a monitor, with its clock; nothing where there never was any. */
export function Exposures({ monitor, mayWrite }: ExposuresProps): ReactNode {
  const monitors = useMonitors()
  const { data: exposures } = useRead(exposuresKey(monitor.id), {
    read: () => monitors.listExposures(monitor.id),
    everyMs: readAgainMs,
  })
  if (exposures.length === 0) return null
  return (
    <Section title={t`Known to be exploited`}>
      <Rows label={t`Known to be exploited`}>
        {exposures.map((exposure) => (
          <Row
            key={exposure.id}
            title={`${exposure.vuln_id} · ${exposure.software_name} ${exposure.version}`}
            details={<Details exposure={exposure} />}
            action={mayWrite && isVerifiable(exposure) && <Verify exposure={exposure} />}
            isWordy
          />
        ))}
      </Rows>
    </Section>
  )
}

/** Locations see what a website shows, and a proof needs no other. */
function isVerifiable({ source, monitor_kind: kind, outcome }: Exposure): boolean {
  return source === 'detected' && kind !== 'repository' && outcome !== 'proved'
}

function Verify({
  exposure: { id, monitor_id: monitorId, vuln_id: vulnerability },
}: {
  exposure: Exposure
}): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const verify = async (): Promise<void> => {
    setBusy(true)
    try {
      await monitors.verifyExposure(id)
      await changed(exposuresKey(monitorId), findingsKey(monitorId))
    } catch (error) {
      toast(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} aria-label={t`Verify the fix: ${vulnerability}`} onClick={() => void verify()}>
      <Trans>Verify the fix</Trans>
    </Button>
  )
}

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

function Details({ exposure }: { exposure: Exposure }): ReactNode {
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
