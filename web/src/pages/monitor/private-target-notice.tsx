import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MonitorDetail } from '../../api/monitors.ts'
import { wasRefusedOwnNetwork } from '../../parts/internal-names.ts'
import { Notice } from '../../parts/notice.tsx'
import { linkClass } from '../../parts/page.tsx'
import { usePrivateTargetChoice } from '../../session/use-installation.ts'

/** On the page of a monitor whose checks are refused for it, to people who may let them. */
export function PrivateTargetNotice({ detail: { data: monitor, results } }: { detail: MonitorDetail }): ReactNode {
  const mayAllow = usePrivateTargetChoice()
  const [newest] = results
  if (!mayAllow || monitor.allow_private_target || newest === undefined || !wasRefusedOwnNetwork(newest)) return null
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <Trans>Its checks are refused, because its target leads to a private address.</Trans>{' '}
        <Link to="/monitors/$id/edit" params={{ id: monitor.id }} className={linkClass}>
          <Trans>Let them reach the network that Perigee runs in</Trans>
        </Link>
      </Notice>
    </div>
  )
}
