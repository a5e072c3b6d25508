import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { LocationRecord, MonitorRecord } from '../../api/monitors.ts'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'

type UnknownProps = { monitor: MonitorRecord; locations: readonly LocationRecord[] }

/** That nobody can tell how a monitor is, since when and why; the status beside it is what was known last. */
export function Unknown({ monitor, locations }: UnknownProps): ReactNode {
  const { unknown_since: since } = monitor
  if (since === null) return null
  const chosen = locations.filter(({ code }) => monitor.locations.includes(code))
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <Trans>
          Not known since <Time at={since} />: {reasonText(chosen)} The status shown is the last known one, and no one
          is alerted meanwhile.
        </Trans>
      </Notice>
    </div>
  )
}

function reasonText(chosen: readonly LocationRecord[]): string {
  const present = chosen.filter(({ online }) => online)
  if (present.length === 0)
    return chosen.length === 1 ? t`the location has no prober.` : t`none of the locations has a prober.`
  if (present.every(({ lost_network_since: lost }) => lost !== null))
    return chosen.length === 1
      ? t`the location has no network of its own.`
      : t`none of the locations has a network of its own.`
  return t`its checks found nothing out, or their results could not be stored.`
}
