import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page.tsx'
import { useWorkspace } from '../../session/workspace.tsx'

/** Others are told so, and the service is not even asked. */
export function ForOwners({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const { isOwner, workspace } = useWorkspace()
  const { name } = workspace
  if (isOwner) return children
  return (
    <>
      <PageHead title={title} />
      <Notice>
        <Trans>Only owners of {name} see this page.</Trans>
      </Notice>
    </>
  )
}
