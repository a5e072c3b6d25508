import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Exposure, MonitorRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { Row, Rows } from '../../parts/list.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { ExposureDetails } from './exposure-details.tsx'
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
            details={<ExposureDetails exposure={exposure} />}
            action={mayWrite && isVerifiable(exposure) && <Verify exposure={exposure} />}
            isWordy
          />
        ))}
      </Rows>
      <p className="mt-4 text-sm">
        <Link to="/exposures" className={linkClass}>
          <Trans>Exposures of all monitors</Trans>
        </Link>
      </p>
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
