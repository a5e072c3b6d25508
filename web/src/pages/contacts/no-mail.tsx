import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from '../../parts/notice.tsx'
import { useWorkspace } from '../../session/workspace.tsx'

/** Before an address is added that no mail would reach. Whoever runs the installation owns a workspace of it. */
export function NoMail(): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <Notice tone="warn">
      <span className="wrap-anywhere">
        {isOwner ? (
          <Trans>
            This installation sends no mail yet: it keeps mails in the folder <code>outbox</code> of its data. The
            operator sets <code>PERIGEE_SMTP_URL</code>, such as <code>smtps://user:password@mail.example.com</code>,
            and <code>PERIGEE_MAIL_FROM</code>. Webhooks and Slack work without it.
          </Trans>
        ) : (
          <Trans>
            This installation sends no mail, so alerts to an address reach no one. Webhooks and Slack work without it.
          </Trans>
        )}
      </span>
    </Notice>
  )
}
