import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { sendVerification, signUp } from '../../api/auth.ts'
import { PasswordField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Door, linkClass } from '../../parts/page.tsx'
import { passwordHint } from '../../parts/form/password-rule.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { returnSearch, settingsQuery } from '../../session/session.ts'
import { AskOperator } from './ask-operator.tsx'

export function SignUpPage(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const { return_to: returnTo = '/' } = useSearch({ from: '/outside' })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const below = (
    <Trans>
      Have an account?{' '}
      <Link to="/sign-in" search={returnSearch(returnTo)} className={linkClass}>
        Sign in
      </Link>
    </Trans>
  )
  if (sentTo !== null && !settings.sends_mail)
    return (
      <AskOperator
        lead={t`This installation sends no mail. The link that confirms ${sentTo} is kept in the folder outbox of its data. Open it, and the account is yours.`}
      />
    )
  if (sentTo !== null) return <Sent email={sentTo} />
  if (settings.sign_up === 'invited')
    return (
      <Door
        title={t`By invitation only`}
        lead={t`Only people who were invited can sign up here. Ask an owner of a workspace to invite you.`}
        below={below}
      />
    )
  const submit = async (given: { name: string; email: string; password: string }): Promise<void> => {
    await signUp(given)
    setSentTo(given.email)
  }
  return (
    <Door title={t`Create an account`} below={below}>
      <Form
        isWide
        submit={t`Create the account`}
        onSubmit={(value) => submit({ name: value('name'), email: value('email'), password: value('password') })}
      >
        <TextField name="name" label={t`Your name`} autoComplete="name" />
        <TextField name="email" label={t`Email`} type="email" autoComplete="username" />
        <PasswordField name="password" label={t`Password`} autoComplete="new-password" hint={passwordHint()} />
      </Form>
    </Door>
  )
}

function Sent({ email }: { email: string }): ReactNode {
  const toast = useToast()
  const again = async (): Promise<void> => {
    await sendVerification(email)
    toast(t`Sent once more.`)
  }
  return (
    <Door title={t`Check your mail`} lead={t`A link is on its way to ${email}. Open it, and the account is yours.`}>
      <Form look="secondary" submit={t`Send it once more`} onSubmit={again} />
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        <Trans>To sign-in</Trans>
      </Link>
    </Door>
  )
}
