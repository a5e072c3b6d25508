import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { IdentityProviderRecord, ProviderInput } from '../../api/single-sign-on.ts'
import { AreaField, PasswordField, SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { roleWords } from './role-words.ts'

type Held = IdentityProviderRecord | null
type Of<Protocol> = Extract<IdentityProviderRecord, { protocol: Protocol }> | null

/** The fields of an identity provider: those of its protocol, and what it means for roles. */
export function ProviderFields({ provider }: { provider: Held }): ReactNode {
  const [protocol, setProtocol] = useState<string>(provider?.protocol ?? 'openid_connect')
  return (
    <>
      <SelectField
        name="protocol"
        label={t`Protocol`}
        defaultValue={protocol}
        onChange={setProtocol}
        options={[
          { value: 'openid_connect', label: t`OpenID Connect` },
          { value: 'saml', label: t`SAML 2.0` },
        ]}
      />
      <TextField name="name" label={t`Name`} defaultValue={provider?.name ?? ''} hint={t`As people know it.`} />
      {protocol === 'saml' ? (
        <SamlFields provider={provider?.protocol === 'saml' ? provider : null} />
      ) : (
        <OpenIdFields provider={provider?.protocol === 'openid_connect' ? provider : null} />
      )}
      <RoleFields provider={provider} isSaml={protocol === 'saml'} />
    </>
  )
}

function OpenIdFields({ provider }: { provider: Of<'openid_connect'> }): ReactNode {
  return (
    <>
      <TextField
        name="issuer"
        label={t`Issuer`}
        defaultValue={provider?.issuer ?? ''}
        hint={t`An https address, as the provider writes it.`}
      />
      <TextField
        name="client_id"
        label={t`Client ID`}
        defaultValue={provider?.client_id ?? ''}
        autoComplete="off"
        hint={t`What you register there is a web application with a secret.`}
      />
      <PasswordField
        name="client_secret"
        label={t`Client secret`}
        autoComplete="off"
        hint={provider === null ? t`It is kept sealed and never shown.` : t`Leave it empty to keep it.`}
      />
    </>
  )
}

function SamlFields({ provider }: { provider: Of<'saml'> }): ReactNode {
  return (
    <>
      <AreaField
        name="metadata_xml"
        rows={3}
        label={t`Metadata of the provider`}
        hint={t`Paste the XML document, in place of the next three fields.`}
      />
      <TextField name="issuer" label={t`Entity ID of the provider`} defaultValue={provider?.issuer ?? ''} />
      <TextField
        name="sign_on_url"
        label={t`Sign-on address`}
        defaultValue={provider?.sign_on_url ?? ''}
        hint={t`Of the binding HTTP-Redirect.`}
      />
      <AreaField
        name="certificates"
        rows={5}
        label={t`Certificates for signing`}
        defaultValue={provider?.certificates.join('') ?? ''}
        hint={t`In PEM, one after the other. Add a new one before the provider uses it.`}
      />
      <TextField
        name="subject_attribute"
        label={t`Attribute that names a person`}
        defaultValue={provider?.subject_attribute ?? ''}
        hint={t`Empty for the NameID, which must not change from one sign-in to the next.`}
      />
      <TextField
        name="email_attribute"
        label={t`Attribute of the mail address`}
        defaultValue={provider?.email_attribute ?? ''}
        hint={t`Empty for the usual names.`}
      />
    </>
  )
}

function RoleFields({ provider, isSaml }: { provider: Held; isSaml: boolean }): ReactNode {
  const roleOptions = groupRoles.map((value) => ({ value, label: i18n._(roleWords[value]) }))
  return (
    <>
      <SelectField
        name="default_role"
        label={t`Role of new people`}
        defaultValue={provider?.default_role ?? 'viewer'}
        options={roleOptions}
      />
      <TextField
        name="groups_claim"
        label={isSaml ? t`Attribute of groups` : t`Claim of groups`}
        defaultValue={provider?.groups_claim ?? 'groups'}
      />
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

function groupsOf(provider: Held, role: GroupRole): string {
  const groups = provider?.group_roles.filter((one) => one.role === role) ?? []
  return groups.map(({ group }) => group).join('\n')
}

/** What the form asks for. */
export function providerInputOf(value: Values): ProviderInput {
  const lines = (role: GroupRole) =>
    value(role)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((group) => ({ group, role }))
  const common = {
    name: value('name'),
    default_role: roleOf(value('default_role')),
    groups_claim: value('groups_claim'),
    group_roles: [...lines('member'), ...lines('viewer')],
    is_required: value('is_required') === 'yes',
  }
  return value('protocol') === 'saml'
    ? { protocol: 'saml', ...common, ...samlInputOf(value) }
    : { protocol: 'openid_connect', ...common, ...openIdInputOf(value) }
}

function roleOf(given: string): GroupRole {
  return given === 'member' ? 'member' : 'viewer'
}

function openIdInputOf(value: Values) {
  const secret = value('client_secret')
  return {
    issuer: value('issuer').trim(),
    client_id: value('client_id').trim(),
    ...(secret === '' ? {} : { client_secret: secret }),
  }
}

/** A document counts in place of the fields, which may hold what it replaces. */
function samlInputOf(value: Values) {
  const metadata = value('metadata_xml').trim()
  const attributes = {
    subject_attribute: textOrNull(value('subject_attribute')),
    email_attribute: textOrNull(value('email_attribute')),
  }
  if (metadata !== '') return { metadata_xml: metadata, ...attributes }
  return {
    issuer: value('issuer').trim(),
    sign_on_url: value('sign_on_url').trim(),
    certificates: value('certificates')
      .trim()
      .split(/(?<=-----END CERTIFICATE-----)\s*/)
      .filter((pem) => pem !== ''),
    ...attributes,
  }
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
