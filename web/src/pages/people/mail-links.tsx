import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { openSignInLink, resetPassword, verifyEmail } from '../../api/auth.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { PasswordField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Door } from '../../parts/page.tsx'
import { passwordHint } from '../../parts/form/password-rule.ts'
import { localReturn, meQuery, returnSearch, useSecret, useEnter, useSendsMail } from '../../session/session.ts'

// Opening a link does nothing yet: programs that look for bad mail open every link. A button does.

export function SignInLinkPage(): ReactNode {
  const enter = useEnter()
  const navigate = useNavigate()
  const token = useSecret('token')
  const returnTo = localReturn(useSecret('return_to'))
  const submit = async (): Promise<void> => {
    const { needsSecondFactor } = await openSignInLink(token)
    if (needsSecondFactor) await navigate({ to: '/sign-in/second-factor', search: returnSearch(returnTo) })
    else enter(returnTo)
  }
  return (
    <Door title={t`Sign in`} lead={t`The link works once.`}>
      <Form isWide submit={t`Sign in`} onSubmit={submit} />
      <ButtonLink to="/sign-in" look="quiet">
        <Trans>Sign in another way</Trans>
      </ButtonLink>
    </Door>
  )
}

export function VerifyEmailPage(): ReactNode {
  const client = useQueryClient()
  const token = useSecret('token')
  const [doneWith, setDoneWith] = useState<string | null>(null)
  if (doneWith === token) return <Verified what={confirmedBy(token)} />
  const submit = async (): Promise<void> => {
    await verifyEmail(token)
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    setDoneWith(token)
  }
  return (
    <Door
      title={t`Confirm`}
      lead={t`Confirm what the mail asks: that an address is yours, or a new address in its place.`}
    >
      <Form isWide submit={t`Confirm`} onSubmit={submit} />
    </Door>
  )
}

function Verified({ what }: { what: Confirmed }): ReactNode {
  const sendsMail = useSendsMail()
  if (what === 'change asked')
    return (
      <Door
        title={t`Confirmed`}
        lead={
          sendsMail
            ? t`A second link is on its way to the new address. Open it to finish the change.`
            : t`A second link finishes the change. This installation sends no mail: the operator finds the link in the folder outbox of its data.`
        }
      />
    )
  return (
    <Door title={t`Your address is confirmed`}>
      <ButtonLink to={what === 'new account' ? '/welcome' : '/'} look="primary" isWide>
        <Trans>Continue</Trans>
      </ButtonLink>
    </Door>
  )
}

type Confirmed = 'new account' | 'change asked' | 'changed'

/**
 * The subject of a token. A token that asks the old address about a new one is the first of two. This decides nothing.
 */
function confirmedBy(token: string): Confirmed {
  const payload = payloadOf(token)
  if (payload.includes('"change-email-confirmation"')) return 'change asked'
  return payload.includes('"updateTo"') ? 'changed' : 'new account'
}

function payloadOf(token: string): string {
  try {
    return atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

export function ResetPasswordPage(): ReactNode {
  const token = useSecret('token')
  const [doneWith, setDoneWith] = useState<string | null>(null)
  if (doneWith === token)
    return (
      <Door title={t`The new password is set`} lead={t`Everyone who was signed in with the old one is signed out.`}>
        <ButtonLink to="/sign-in" look="primary" isWide>
          <Trans>Sign in</Trans>
        </ButtonLink>
      </Door>
    )
  const submit = async (newPassword: string): Promise<void> => {
    await resetPassword({ newPassword, token })
    setDoneWith(token)
  }
  return (
    <Door title={t`Choose a new password`}>
      <Form isWide submit={t`Set the password`} onSubmit={(value) => submit(value('newPassword'))}>
        <PasswordField name="newPassword" label={t`New password`} autoComplete="new-password" hint={passwordHint()} />
      </Form>
    </Door>
  )
}
