import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type DeviceAuthorizationRecord, authorizeDevice, readDeviceAuthorization } from '../../api/authorizations.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CodeField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Door } from '../../parts/page.tsx'
import { workspacesQuery } from '../../session/session.ts'
import { type Agreed, Asked, ConsentForm } from './consent.tsx'

/** The page on which a person types the code that a program without a browser shows (RFC 8628). */
export function DevicePage(): ReactNode {
  const { user_code: code } = useSearch({ from: '/inside/device' })
  return code === undefined || code === '' ? <Typing /> : <Deciding code={code.slice(0, 20)} />
}

function Typing(): ReactNode {
  const navigate = useNavigate()
  return (
    <Door title={t`Connect a program`} lead={t`Type the code that the program shows.`}>
      <Form
        isWide
        submit={t`Continue`}
        unsaved={false}
        onSubmit={(value) => navigate({ to: '/device', search: { user_code: value('user_code') } })}
      >
        <CodeField name="user_code" label={t`Code`} maxLength={12} hint={t`Eight letters.`} />
      </Form>
    </Door>
  )
}

function Deciding({ code }: { code: string }): ReactNode {
  const { data: workspaces } = useSuspenseQuery(workspacesQuery)
  const queryKey = ['device', code]
  const { data } = useSuspenseQuery({ queryKey, queryFn: () => readDeviceAuthorization(code), staleTime: 0 })
  const client = useQueryClient()
  const [decided, setDecided] = useState<'in' | 'out' | null>(null)
  const { asks } = data
  const shown = code.toUpperCase()
  if (decided !== null) return <Decided isLetIn={decided === 'in'} />
  if (asks === null) return <Ended {...data} />
  const own = workspaces.filter(({ role }) => role === 'owner')
  const [first] = own
  if (first === undefined)
    return <Over title={t`You do not own a workspace`} lead={t`A program acts in a workspace that you own.`} />
  const decide = async (isLetIn: boolean, { workspaceId, scopes, budgetCents }: Agreed): Promise<void> => {
    try {
      await authorizeDevice(workspaceId, {
        user_code: code,
        is_let_in: isLetIn,
        scopes,
        budget_cents: budgetCents,
      })
    } catch (error) {
      await client.invalidateQueries({ queryKey })
      throw error
    }
    setDecided(isLetIn ? 'in' : 'out')
  }
  const nothing = { workspaceId: first.id, scopes: ['read'], budgetCents: 0 }
  return (
    <Door
      title={t`Let ${asks.client_name} in?`}
      lead={t`Only if the program in front of you shows this code: ${shown}. It acts in your workspace until you disconnect it.`}
    >
      <Asked asks={asks} workspace={own.length === 1 ? first.name : undefined} />
      <ConsentForm asks={asks} own={own} onSubmit={(agreed) => decide(true, agreed)} />
      <p className="mt-4 text-center">
        <Button onClick={() => void decide(false, nothing)}>
          <Trans>Do not let it in</Trans>
        </Button>
      </p>
    </Door>
  )
}

function Decided({ isLetIn }: { isLetIn: boolean }): ReactNode {
  if (isLetIn) return <Over title={t`The program is in`} lead={t`It goes on by itself. You can close this page.`} />
  return <Over title={t`The program was refused`} lead={t`It has no access. You can close this page.`} />
}

function Ended({ state, problem }: DeviceAuthorizationRecord): ReactNode {
  if (problem !== null) return <Over title={t`This program cannot be let in`} lead={problem} />
  if (state === 'done') return <Over title={t`This code was used`} lead={t`Ask the program for a new one.`} />
  return (
    <Door
      title={t`There is no such code`}
      lead={t`A code works for ten minutes. Look at it again, or ask the program for a new one.`}
    >
      <ButtonLink to="/device">
        <Trans>Type it again</Trans>
      </ButtonLink>
    </Door>
  )
}

function Over({ title, lead }: { title: string; lead: string }): ReactNode {
  return (
    <Door title={title} lead={lead}>
      <ButtonLink to="/settings/agents">
        <Trans>To your agents</Trans>
      </ButtonLink>
    </Door>
  )
}
