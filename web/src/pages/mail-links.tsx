import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { openSignInLink, resetPassword, verifyEmail } from '../api/auth.ts'
import { ButtonLink } from '../parts/button.tsx'
import { PasswordField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Door } from '../parts/page.tsx'
import { passwordHint } from '../parts/password-rule.ts'
import { localReturn, meQuery, returnSearch, useSecret, useEnter } from '../session.ts'

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
    <Door title="Sign in" lead="The link works once.">
      <Form isWide submit="Sign in" onSubmit={submit} />
      <ButtonLink to="/sign-in" look="quiet">
        Sign in another way
      </ButtonLink>
    </Door>
  )
}

export function VerifyEmailPage(): ReactNode {
  const client = useQueryClient()
  const token = useSecret('token')
  const [doneWith, setDoneWith] = useState<string | null>(null)
  if (doneWith === token) return <Verified isFirstOfTwo={isChangeAsked(token)} />
  const submit = async (): Promise<void> => {
    await verifyEmail(token)
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    setDoneWith(token)
  }
  return (
    <Door title="Confirm" lead="Confirm what the mail asks: an address that is yours, or one to take its place.">
      <Form isWide submit="Confirm" onSubmit={submit} />
    </Door>
  )
}

function Verified({ isFirstOfTwo }: { isFirstOfTwo: boolean }): ReactNode {
  if (isFirstOfTwo)
    return <Door title="Confirmed" lead="A second link is on its way to the new address. The change is done with it." />
  return (
    <Door title="Your address is confirmed">
      <ButtonLink to="/" look="primary" isWide>
        Go on
      </ButtonLink>
    </Door>
  )
}

/** Whether a token asks the old address about a new one. What it says is shown, and decides nothing. */
function isChangeAsked(token: string): boolean {
  try {
    const payload = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return payload.includes('"change-email-confirmation"')
  } catch {
    return false
  }
}

export function ResetPasswordPage(): ReactNode {
  const token = useSecret('token')
  const [doneWith, setDoneWith] = useState<string | null>(null)
  if (doneWith === token)
    return (
      <Door title="The new password is set" lead="Everybody who was signed in with the old one is signed out.">
        <ButtonLink to="/sign-in" look="primary" isWide>
          Sign in
        </ButtonLink>
      </Door>
    )
  const submit = async (newPassword: string): Promise<void> => {
    await resetPassword({ newPassword, token })
    setDoneWith(token)
  }
  return (
    <Door title="Choose a new password">
      <Form isWide submit="Set the password" onSubmit={(value) => submit(value('newPassword'))}>
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" hint={passwordHint} />
      </Form>
    </Door>
  )
}
