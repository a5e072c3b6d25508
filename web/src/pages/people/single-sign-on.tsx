import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import {
  type IdentityProviderRecord,
  type ProviderInput,
  type SignInDomainRecord,
  type SignOnApi,
  type SingleSignOnRecord,
  signOnApi,
} from '../../api/single-sign-on.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { AreaField, PasswordField, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { roleWords } from './role-words.ts'

const read = 'single-sign-on'

function useSignOnApi(): SignOnApi {
  const { id } = useWorkspace().workspace
  return useMemo(() => signOnApi(id), [id])
}

/** For owners. */
export function SingleSignOnSettingsPage(): ReactNode {
  const asked = useSignOnApi()
  const { data } = useRead(read, { read: () => asked.read() })
  return (
    <>
      <PageHead
        title={t`Single sign-on`}
        lead={t`People of your domains sign in by your identity provider, by OpenID Connect.`}
      />
      <Section title={t`Redirect address`} lead={t`Enter it at the provider.`}>
        <CopyText text={data.redirect_uri} label={t`Redirect address`} />
      </Section>
      <Provider provider={data.provider} />
      <Domains domains={data.domains} />
    </>
  )
}

function Provider({ provider }: Pick<SingleSignOnRecord, 'provider'>): ReactNode {
  const asked = useSignOnApi()
  const changed = useChanged()
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  const save = async (value: Values): Promise<void> => {
    await asked.setProvider(inputOf(value))
    await changed(read)
    const { problem } = await asked.tryProvider()
    toast(problem ?? t`Saved. The provider answers.`)
  }
  const remove = async (): Promise<void> => {
    await asked.deleteProvider()
    await changed(read)
    setDeleting(false)
  }
  return (
    <Section
      title={t`Identity provider`}
      lead={t`What you register there is a web application with a secret.`}
      action={
        provider !== null && (
          <Button look="danger" onClick={() => setDeleting(true)}>
            <Trans>Delete …</Trans>
          </Button>
        )
      }
    >
      <Form submit={t`Save and try`} onSubmit={save} key={provider?.updated_at ?? 'none'} isRoomy>
        <ProviderFields provider={provider} />
      </Form>
      {isDeleting && (
        <FormDialog
          title={t`Delete the provider?`}
          submit={t`Delete`}
          look="danger"
          onSubmit={remove}
          onClose={() => setDeleting(false)}
        >
          <p className="text-muted">
            <Trans>People, their sessions and the domains stay. Nobody signs in by the provider any more.</Trans>
          </p>
        </FormDialog>
      )}
    </Section>
  )
}

function ProviderFields({ provider }: { provider: IdentityProviderRecord | null }): ReactNode {
  const roleOptions = groupRoles.map((value) => ({ value, label: i18n._(roleWords[value]) }))
  return (
    <>
      <TextField name="name" label={t`Name`} defaultValue={provider?.name ?? ''} hint={t`As people know it.`} />
      <TextField
        name="issuer"
        label={t`Issuer`}
        defaultValue={provider?.issuer ?? ''}
        hint={t`An https address, as the provider writes it.`}
      />
      <TextField name="client_id" label={t`Client ID`} defaultValue={provider?.client_id ?? ''} autoComplete="off" />
      <PasswordField
        name="client_secret"
        label={t`Client secret`}
        autoComplete="off"
        hint={provider === null ? t`It is kept sealed and never shown.` : t`Leave it empty to keep it.`}
      />
      <SelectField
        name="default_role"
        label={t`Role of new people`}
        defaultValue={provider?.default_role ?? 'viewer'}
        options={roleOptions}
      />
      <TextField name="groups_claim" label={t`Claim of groups`} defaultValue={provider?.groups_claim ?? 'groups'} />
      <AreaField
        name="member"
        rows={3}
        label={t`Groups whose people are members`}
        defaultValue={groupsOf(provider, 'member')}
        hint={t`One a line. With any group, roles follow the groups at each sign-in, but for owners.`}
      />
      <AreaField
        name="viewer"
        rows={3}
        label={t`Groups whose people are viewers`}
        defaultValue={groupsOf(provider, 'viewer')}
      />
      <SelectField
        name="is_required"
        label={t`Members come to the workspace`}
        defaultValue={provider?.is_required === true ? 'yes' : 'no'}
        options={[
          { value: 'no', label: t`by any way of signing in` },
          { value: 'yes', label: t`by single sign-on only` },
        ]}
        hint={t`Owners keep their passkeys and passwords in any case.`}
      />
    </>
  )
}

const groupRoles = ['viewer', 'member'] as const
type GroupRole = (typeof groupRoles)[number]

function groupsOf(provider: IdentityProviderRecord | null, role: GroupRole): string {
  const groups = provider?.group_roles.filter((one) => one.role === role) ?? []
  return groups.map(({ group }) => group).join('\n')
}

function inputOf(value: Values): ProviderInput {
  const lines = (role: GroupRole) =>
    value(role)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((group) => ({ group, role }))
  const secret = value('client_secret')
  return {
    name: value('name'),
    issuer: value('issuer').trim(),
    client_id: value('client_id').trim(),
    ...(secret === '' ? {} : { client_secret: secret }),
    default_role: value('default_role') === 'member' ? 'member' : 'viewer',
    groups_claim: value('groups_claim'),
    group_roles: [...lines('member'), ...lines('viewer')],
    is_required: value('is_required') === 'yes',
  }
}

function Domains({ domains }: Pick<SingleSignOnRecord, 'domains'>): ReactNode {
  const asked = useSignOnApi()
  const changed = useChanged()
  const add = async (domain: string): Promise<void> => {
    await asked.addDomain(domain)
    await changed(read)
  }
  return (
    <Section
      title={t`Domains`}
      lead={t`The provider signs in people with addresses of these domains, once a TXT record proves that they are yours.`}
    >
      {domains.length === 0 && (
        <Empty>
          <Trans context="domains">None.</Trans>
        </Empty>
      )}
      <Rows label={t`Domains`}>
        {domains.map((domain) => (
          <DomainRow key={domain.id} domain={domain} />
        ))}
      </Rows>
      <Form submit={t`Add`} onSubmit={(value) => add(value('domain'))} key={domains.length}>
        <TextField name="domain" label={t`Domain`} placeholder="example.com" autoComplete="off" />
      </Form>
    </Section>
  )
}

function DomainRow({ domain: { id, domain, record, proven_at: provenAt } }: { domain: SignInDomainRecord }): ReactNode {
  const asked = useSignOnApi()
  const changed = useChanged()
  const prove = async (): Promise<void> => {
    await asked.proveDomain(id)
    await changed(read)
  }
  const remove = async (): Promise<void> => {
    await asked.removeDomain(id)
    await changed(read)
  }
  const isProved = provenAt !== null
  return (
    <Row
      title={
        <>
          {domain}
          <Badge>{isProved ? t`Proved` : t`Not proved`}</Badge>
        </>
      }
      details={
        !isProved && (
          <div className="flex flex-col gap-3">
            <span>
              <Trans>Publish this TXT record, then prove the domain.</Trans>
            </span>
            <CopyText text={record.name} label={t`Name of the record of ${domain}`} />
            <CopyText text={record.value} label={t`Value of the record of ${domain}`} />
            <Form submit={t`Prove ${domain}`} unsaved={false} onSubmit={prove} />
          </div>
        )
      }
      action={<Form look="danger" submit={t`Remove ${domain}`} unsaved={false} onSubmit={remove} />}
    />
  )
}
