import { t } from '@lingui/core/macro'
import { type ReactNode } from 'react'
import type { AuthorizationRecord } from '../../api/authorizations.ts'
import type { WorkspaceRecord } from '../../api/console.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { typedCents } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { useHasPayments, useMe } from '../../session/session.ts'

/** What a program asks for; without a place to return to where it shows a code. */
export type Asks = Omit<NonNullable<AuthorizationRecord['asks']>, 'redirect_host'> & { redirect_host?: string }
export type Agreed = { workspaceId: string; scopes: string[]; budgetCents: number }

export function Asked({ asks, workspace }: { asks: Asks; workspace: string | undefined }): ReactNode {
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
        {redirect !== undefined && (
          <Fact term={t`It returns to`}>
            {isHere(redirect) ? t`a program on this computer (${redirect})` : redirect}
          </Fact>
        )}
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

export function ConsentForm({ asks, own, onSubmit }: ConsentFormProps): ReactNode {
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
          budgetCents: value('budget_cents') === '' ? 0 : typedCents(value('budget_cents'), 'budget_cents'),
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
