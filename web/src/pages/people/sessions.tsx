import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type SessionRecord, listSessions, revokeSession } from '../../api/console.ts'
import { browserOf } from '../../parts/browser-name.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Badge, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'

const sessionsKey = ['sessions']

export function useSessionsChanged(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: sessionsKey })
}

export function Sessions(): ReactNode {
  const { data: sessions } = useSuspenseQuery({ queryKey: sessionsKey, queryFn: listSessions })
  const [ended, setEnded] = useState<SessionRecord | null>(null)
  return (
    <Section title={t`Where you are signed in`}>
      <Rows label={t`Sessions`}>
        {sessions.map((session) => (
          <Row
            key={session.id}
            title={
              <>
                {browserOf(session.user_agent)}
                {session.is_current && (
                  <Badge>
                    <Trans>This one</Trans>
                  </Badge>
                )}
              </>
            }
            details={
              <>
                {session.address !== null && session.address !== '' && `${session.address} · `}
                <Trans>
                  since <Time at={session.created_at} />
                </Trans>
                {' · '}
                <Trans>
                  last used <Time at={session.last_seen_at} />
                </Trans>
              </>
            }
            action={
              !session.is_current && (
                <Button look="danger" aria-label={labelOf(session)} onClick={() => setEnded(session)}>
                  <Trans>Sign out</Trans>
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {ended !== null && <End session={ended} onClose={() => setEnded(null)} />}
    </Section>
  )
}

function End({ session, onClose }: { session: SessionRecord; onClose: () => void }): ReactNode {
  const browser = browserOf(session.user_agent)
  const changed = useSessionsChanged()
  const submit = async (): Promise<void> => {
    await revokeSession(session.id)
    await changed()
    onClose()
  }
  return (
    <FormDialog title={t`Sign out there?`} submit={t`Sign out`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>{browser} is signed out at once.</Trans>
      </p>
    </FormDialog>
  )
}

function labelOf({ user_agent: agent, created_at: at }: SessionRecord): string {
  const browser = browserOf(agent)
  const time = at.slice(0, 16).replace('T', ' ')
  return t`Sign out ${browser} of ${time}`
}
