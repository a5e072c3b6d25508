import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { authorizeProgram, readAuthorization } from '../../api/authorizations.ts'
import { type Agreed, Asked, ConsentForm } from './consent.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Door, linkClass } from '../../parts/page.tsx'
import { workspacesQuery } from '../../session/session.ts'

/** Members of an authorization request (RFC 6749 4.1.1, RFC 7636, RFC 8707); others change nothing. */
const requestMembers: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
])

function requestIn(search: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => requestMembers.has(name)))
}

/** The page to which a program sends its person, who lets it in or does not (OAuth 2.1). */
export function ConnectPage(): ReactNode {
  const request = requestIn(useSearch({ from: '/inside/connect' }))
  const { data: workspaces } = useSuspenseQuery(workspacesQuery)
  const { data } = useSuspenseQuery({
    queryKey: ['authorization', request],
    queryFn: () => readAuthorization(request),
    staleTime: 0,
  })
  const { asks, problem, leave_to: leaveTo } = data
  if (asks === null) return <Refused problem={problem ?? ''} leaveTo={leaveTo} />
  const own = workspaces.filter(({ role }) => role === 'owner')
  if (own.length === 0) return <NoWorkspace leaveTo={leaveTo} />
  const submit = async ({ workspaceId, scopes, budgetCents }: Agreed): Promise<void> => {
    const { redirect_to: to } = await authorizeProgram(workspaceId, { request, scopes, budget_cents: budgetCents })
    location.assign(to)
  }
  return (
    <Door
      title={t`Let ${asks.client_name} in?`}
      lead={t`Only if you have just connected it yourself. It acts in your workspace until you disconnect it.`}
    >
      <Asked asks={asks} workspace={own.length === 1 ? own[0]?.name : undefined} />
      <ConsentForm asks={asks} own={own} onSubmit={submit} />
      {leaveTo !== null && (
        <p className="mt-4 text-center text-sm">
          <a href={leaveTo} className={linkClass}>
            <Trans>Do not let it in</Trans>
          </a>
        </p>
      )}
    </Door>
  )
}

function Refused({ problem, leaveTo }: { problem: string; leaveTo: string | null }): ReactNode {
  return (
    <Door title={t`This program cannot be let in`} lead={problem}>
      {leaveTo === null ? (
        <ButtonLink to="/">
          <Trans>To the console</Trans>
        </ButtonLink>
      ) : (
        <a href={leaveTo} className={linkClass}>
          <Trans>Back to the program</Trans>
        </a>
      )}
    </Door>
  )
}

function NoWorkspace({ leaveTo }: { leaveTo: string | null }): ReactNode {
  return (
    <Door
      title={t`You do not own a workspace`}
      lead={t`A program acts in a workspace that you own. Create one, or have an owner make you an owner of theirs, and connect again.`}
    >
      {leaveTo !== null && (
        <a href={leaveTo} className={linkClass}>
          <Trans>Back to the program</Trans>
        </a>
      )}
    </Door>
  )
}
