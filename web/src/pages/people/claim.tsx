import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { signOut } from '../../api/auth.ts'
import { type ClaimViewRecord, type WorkspaceRecord, readClaim, workspaceApi } from '../../api/console.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { forgetDrafts } from '../../parts/drafts/draft-store.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { CodeField, SelectField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Door } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { contentsOf } from '../../parts/workspace-contents.ts'
import { useEnter, useMe, workspacesQuery } from '../../session/session.ts'

type Asks = NonNullable<ClaimViewRecord['asks']>

/** The page on which a person gives an agent its place, or refuses. */
export function ClaimPage(): ReactNode {
  const { claim_attempt_token: attempt } = useSearch({ from: '/inside/claim' })
  const { data: workspaces } = useSuspenseQuery(workspacesQuery)
  const claim = useSuspenseQuery({ queryKey: ['claim', attempt], queryFn: () => readClaim(attempt), staleTime: 0 })
  const [confirmed, setConfirmed] = useState<{ name: string; workspace: string } | null>(null)
  if (confirmed !== null) return <Done {...confirmed} />
  const { state, asks } = claim.data
  if (state !== 'open' || asks === null) return <Ended state={state} />
  const { agent_name: agent } = asks
  const own = workspaces.filter(({ role }) => role === 'owner')
  if (own.length === 0) return <NoWorkspace />
  const submit = async (code: string, workspaceId: string): Promise<void> => {
    const workspace = own.find(({ id }) => id === workspaceId) ?? own[0]
    if (workspace === undefined) return
    try {
      const { name } = await workspaceApi(workspace.id).completeClaim(attempt, code)
      setConfirmed({ name, workspace: workspace.name })
    } catch (error) {
      // The tries that are left, or that there are none.
      await claim.refetch()
      throw error
    }
  }
  return (
    <Door title={t`Let ${agent} in?`} lead={t`Only if you started it yourself and gave it your address.`}>
      <Asked asks={asks} />
      <ClaimForm asks={asks} own={own} onSubmit={submit} />
    </Door>
  )
}

function Asked({ asks }: { asks: Asks }): ReactNode {
  const { provider, email, scopes, requested_at: at, expires_at: until, workspace, advisories } = asks
  return (
    <>
      {advisories.map((advisory) => (
        <Notice key={advisory} tone={advisory === 'nobody_vouches' ? 'warn' : 'plain'}>
          {i18n._(advice[advisory])}
        </Notice>
      ))}
      <Facts>
        <Fact term={t`Vouched for by`}>{provider ?? t`no one`}</Fact>
        <Fact term={t`On behalf of`}>{email}</Fact>
        <Fact term={t`It may`}>{scopes.includes('write') ? t`read and change everything` : t`read everything`}</Fact>
        <Fact term={t`Requested`}>
          <Time at={at} />
        </Fact>
        <Fact term={t`Open until`}>
          <Time at={until} />
        </Fact>
        {workspace !== null && <Fact term={t`It brings`}>{contentsOf(workspace)}</Fact>}
      </Facts>
    </>
  )
}

const advice: Readonly<Record<Asks['advisories'][number], MessageDescriptor>> = {
  first_agent: msg`This is the first agent that you let in. It acts in your workspace until you disconnect it.`,
  first_of_provider: msg`You have not let in an agent of this provider before.`,
  nobody_vouches: msg`No one vouches for this agent: it chose its name itself.`,
  moves_workspace: msg`What the agent has created so far moves into your workspace and is then yours.`,
}

type ClaimFormProps = {
  asks: Asks
  own: readonly WorkspaceRecord[]
  onSubmit: (code: string, workspaceId: string) => Promise<void>
}

function ClaimForm({ asks, own, onSubmit }: ClaimFormProps): ReactNode {
  const left = asks.tries_left
  return (
    <Form isWide submit={t`Let it in`} onSubmit={(value) => onSubmit(value('user_code'), value('workspace'))}>
      {own.length > 1 && (
        <SelectField
          name="workspace"
          label={t`Workspace`}
          options={own.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <CodeField
        name="user_code"
        label={t`Code that the agent shows`}
        maxLength={12}
        hint={plural(left, { one: 'Six digits. One try is left.', other: 'Six digits. # tries are left.' })}
      />
    </Form>
  )
}

function Ended({ state }: { state: ClaimViewRecord['state'] }): ReactNode {
  const enter = useEnter()
  const { email } = useMe()
  switch (state) {
    case 'wrong_person': {
      const submit = async (): Promise<void> => {
        await signOut()
        forgetDrafts(localStorage)
        enter(location.pathname + location.search)
      }
      return (
        <Door
          title={t`This link is for someone else`}
          lead={t`You are signed in as ${email}. The agent was given another address.`}
        >
          <Form isWide submit={t`Sign in as someone else`} onSubmit={submit} />
        </Door>
      )
    }
    case 'locked':
      return (
        <Over title={t`This link is locked`} lead={t`Five wrong codes were entered. Ask the agent for a new link.`} />
      )
    case 'done':
      return <Over title={t`This agent was let in before`} lead={t`It needs no second confirmation.`} />
    case 'open':
    case 'expired':
      return (
        <Over title={t`This link has expired`} lead={t`A link works for ten minutes. Ask the agent for a new one.`} />
      )
  }
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

function NoWorkspace(): ReactNode {
  return (
    <Door
      title={t`You do not own a workspace`}
      lead={t`An agent acts in a workspace that you own. Create one, or have an owner make you an owner of theirs, and open the link again.`}
    >
      <ButtonLink to="/">
        <Trans>To the console</Trans>
      </ButtonLink>
    </Door>
  )
}

function Done({ name, workspace }: { name: string; workspace: string }): ReactNode {
  return (
    <Door title={t`${name} is in`} lead={t`It acts in ${workspace} from now on. You can disconnect it at any time.`}>
      <ButtonLink to="/settings/agents" look="primary" isWide>
        <Trans>To your agents</Trans>
      </ButtonLink>
    </Door>
  )
}
