import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Door, linkClass } from '../../parts/page.tsx'

/** Where no mail leaves: there is a link, and nobody brings it. */
export function AskOperator({ lead }: { lead: string }): ReactNode {
  return (
    <Door title={t`Ask the operator of this installation`} lead={lead}>
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        <Trans>Back to sign-in</Trans>
      </Link>
    </Door>
  )
}
