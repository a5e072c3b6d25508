import { t } from '@lingui/core/macro'
import { type ReactNode } from 'react'
import { changePassword } from '../../api/auth.ts'
import { PasswordField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { passwordHint } from '../../parts/form/password-rule.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { Passkeys } from './passkeys.tsx'
import { ProviderLinks } from './provider-links.tsx'
import { Sessions, useSessionsChanged } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function SecurityPage(): ReactNode {
  return (
    <>
      <PageHead title={t`Security`} lead={t`How you sign in, and where you are signed in.`} />
      <Awaited fallback={<Waiting />}>
        <Passkeys />
      </Awaited>
      <TwoFactor />
      <Awaited fallback={<Waiting />}>
        <ProviderLinks />
      </Awaited>
      <Password />
      <Sessions />
    </>
  )
}

function Password(): ReactNode {
  const toast = useToast()
  const sessionsChanged = useSessionsChanged()
  const submit = async (given: { currentPassword: string; newPassword: string }): Promise<void> => {
    await changePassword(given)
    await sessionsChanged()
    toast(t`Your password is changed. You are signed out everywhere else.`)
  }
  return (
    <Section title={t`Password`}>
      <Form
        submit={t`Change the password`}
        unsaved={false}
        onSubmit={(value) => submit({ currentPassword: value('currentPassword'), newPassword: value('newPassword') })}
      >
        <PasswordField name="currentPassword" label={t`Current password`} autoComplete="current-password" />
        <PasswordField name="newPassword" label={t`New password`} autoComplete="new-password" hint={passwordHint()} />
      </Form>
    </Section>
  )
}
