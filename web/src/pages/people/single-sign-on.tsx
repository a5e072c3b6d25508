import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import {
  type SignInDomainRecord,
  type SignOnApi,
  type SingleSignOnRecord,
  signOnApi,
} from '../../api/single-sign-on.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { ProviderFields, providerInputOf } from './provider-fields.tsx'

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
        lead={t`People of your domains sign in by your identity provider, by OpenID Connect or SAML 2.0.`}
      />
      <Addresses {...data} />
      <Provider provider={data.provider} />
      <Domains domains={data.domains} />
    </>
  )
}

/** What the provider has to know, by its protocol. */
function Addresses({ redirect_uri: redirect, saml }: Pick<SingleSignOnRecord, 'redirect_uri' | 'saml'>): ReactNode {
  return (
    <Section title={t`Our addresses`} lead={t`Enter them at the provider.`}>
      <h3 className="text-sm font-medium">
        <Trans>OpenID Connect: redirect address</Trans>
      </h3>
      <CopyText text={redirect} label={t`Redirect address`} />
      <h3 className="text-sm font-medium">
        <Trans>SAML 2.0: our entity ID, which is also the address of our metadata</Trans>
      </h3>
      <CopyText text={saml.entity_id} label={t`Our entity ID`} />
      <h3 className="text-sm font-medium">
        <Trans>SAML 2.0: address for responses (ACS)</Trans>
      </h3>
      <CopyText text={saml.consumer_url} label={t`Address for responses`} />
    </Section>
  )
}

function Provider({ provider }: Pick<SingleSignOnRecord, 'provider'>): ReactNode {
  const asked = useSignOnApi()
  const changed = useChanged()
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  const save = async (value: Values): Promise<void> => {
    const { protocol } = await asked.setProvider(providerInputOf(value))
    await changed(read)
    const { problem } = await asked.tryProvider()
    toast(problem ?? (protocol === 'saml' ? t`Saved. Sign in once to try it.` : t`Saved. The provider answers.`))
  }
  const remove = async (): Promise<void> => {
    await asked.deleteProvider()
    await changed(read)
    setDeleting(false)
  }
  return (
    <Section
      title={t`Identity provider`}
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
