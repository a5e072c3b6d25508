import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type AuthorizationRecord, type WorkspaceRecord, readAuthorization, workspaceApi } from '../../api/console.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Door, linkClass } from '../../parts/page.tsx'
import { centsOf } from '../../parts/money.ts'
import { useHasPayments, useMe, workspacesQuery } from '../../session/session.ts'

type Asks = NonNullable<AuthorizationRecord['asks']>
type Agreed = { workspaceId: string; scopes: string[]; budgetCents: number }

/** The page to which a program sends its person, who lets it in or does not (OAuth 2.1). */
export function ConnectPage(): ReactNode {
  const request = useSearch({ from: '/inside/connect' })
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
    const { redirect_to: to } = await workspaceApi(workspaceId).authorizeProgram({
      request,
      scopes,
      budget_cents: budgetCents,
    })
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

function Asked({ asks, workspace }: { asks: Asks; workspace: string | undefined }): ReactNode {
  const { client_name: name, client_host: host, redirect_host: redirect, audience } = asks
  const { email } = useMe()
  return (
    <>
      <Notice tone="warn">
        {host === null
          ? t`The program calls itself “${name}”. Perigee has not checked that.`
          : t`${host} says that this is “${name}”. Perigee has not checked more than that.`}
      </Notice>
      <Facts>
        <Fact term={t`It returns to`}>{isHere(redirect) ? t`a program on this computer (${redirect})` : redirect}</Fact>
        <Fact term={t`It reaches`}>
          {audience === 'mcp'
            ? t`the tools for models`
            : audience === 'api'
              ? t`the API`
              : t`the API and the tools for models`}
        </Fact>
        {workspace !== undefined && <Fact term={t`Workspace`}>{workspace}</Fact>}
        <Fact term={t`You are`}>{email}</Fact>
      </Facts>
    </>
  )
}

function isHere(host: string): boolean {
  return /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/.test(host)
}

type ConsentFormProps = {
  asks: Asks
  own: readonly WorkspaceRecord[]
  onSubmit: (agreed: Agreed) => Promise<void>
}

function ConsentForm({ asks, own, onSubmit }: ConsentFormProps): ReactNode {
  const sells = useHasPayments()
  const mayWrite = asks.scopes.includes('write')
  return (
    <Form
      isWide
      submit={t`Let it in`}
      unsaved={false}
      onSubmit={(value) =>
        onSubmit({
          workspaceId: own.find(({ id }) => id === value('workspace'))?.id ?? own[0]?.id ?? '',
          scopes: value('scopes') === 'write' ? ['read', 'write'] : ['read'],
          budgetCents: value('budget_cents') === '' ? 0 : (centsOf(value('budget_cents')) ?? Number.NaN),
        })
      }
    >
      {own.length > 1 && (
        <SelectField
          name="workspace"
          label={t`Workspace`}
          options={own.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {mayWrite && (
        <SelectField
          name="scopes"
          label={t`It may`}
          options={[
            { value: 'write', label: t`read and change everything` },
            { value: 'read', label: t`read everything` },
          ]}
        />
      )}
      {sells && mayWrite && (
        <TextField
          name="budget_cents"
          label={t`Credit that it may spend, in dollars`}
          defaultValue="0"
          inputMode="decimal"
          hint={t`With 0 it buys nothing with the credit of your workspace.`}
        />
      )}
    </Form>
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
