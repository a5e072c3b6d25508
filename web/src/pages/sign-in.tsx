import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { confirmBackupCode, confirmTotp, requestPasswordReset, sendSignInLink, signIn } from '../api/auth.ts'
import { arePasskeysPossible, signInWithPasskey } from '../api/passkey.ts'
import { Button } from '../parts/button.tsx'
import { CodeField, PasswordField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Door, linkClass } from '../parts/page.tsx'
import { returnSearch, settingsQuery, useEnter } from '../session.ts'

/** Where the way in leads. */
function useReturn(): string {
  return useSearch({ from: '/outside' }).return_to ?? '/'
}

export function SignInPage(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const returnTo = useReturn()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isByLink, setByLink] = useState(false)
  const isElsewhere = new URL(settings.public_url).origin !== location.origin
  if (sentTo !== null) return <LookIntoMail email={sentTo} what="a link that signs you in" />
  const mayJoin = settings.sign_up === 'open'
  return (
    <Door
      title="Sign in"
      below={
        mayJoin && (
          <>
            New here?{' '}
            <Link to="/sign-up" search={returnSearch(returnTo)} className={linkClass}>
              Create an account
            </Link>
          </>
        )
      }
    >
      {isElsewhere && (
        <Notice tone="warn">
          Signing in works at{' '}
          <a href={settings.public_url} className="underline">
            {settings.public_url}
          </a>{' '}
          only.
        </Notice>
      )}
      {isByLink ? <LinkForm returnTo={returnTo} onSent={setSentTo} /> : <PasswordForm returnTo={returnTo} />}
      <Or />
      <div className="flex flex-col gap-2">
        {arePasskeysPossible() && <PasskeyForm returnTo={returnTo} />}
        <Button isWide onClick={() => setByLink(!isByLink)}>
          {isByLink ? 'Use the password' : 'Send me a link instead'}
        </Button>
      </div>
    </Door>
  )
}

function PasswordForm({ returnTo }: { returnTo: string }): ReactNode {
  const enter = useEnter()
  const navigate = useNavigate()
  const submit = async (email: string, password: string): Promise<void> => {
    const { needsSecondFactor } = await signIn({ email, password })
    if (needsSecondFactor) await navigate({ to: '/sign-in/second-factor', search: returnSearch(returnTo) })
    else enter(returnTo)
  }
  return (
    <Form isWide submit="Sign in" onSubmit={(value) => submit(value('email'), value('password'))}>
      <TextField name="email" label="Email" type="email" autoComplete="username" />
      <div className="flex flex-col gap-1">
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        <Link to="/forgot-password" className={`self-start text-sm ${linkClass}`}>
          Forgot it?
        </Link>
      </div>
    </Form>
  )
}

type LinkFormProps = { returnTo: string; onSent: (email: string) => void }

function LinkForm({ returnTo, onSent }: LinkFormProps): ReactNode {
  const submit = async (email: string): Promise<void> => {
    await sendSignInLink(email, returnTo)
    onSent(email)
  }
  return (
    <Form isWide submit="Send the link" onSubmit={(value) => submit(value('email'))}>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        hint="The link works for 15 minutes."
      />
    </Form>
  )
}

function PasskeyForm({ returnTo }: { returnTo: string }): ReactNode {
  const enter = useEnter()
  const submit = async (): Promise<void> => {
    await signInWithPasskey()
    enter(returnTo)
  }
  return <Form isWide look="secondary" submit="Sign in with a passkey" onSubmit={submit} />
}

function Or(): ReactNode {
  return (
    <div className="flex items-center gap-3 text-sm text-muted" aria-hidden="true">
      <span className="h-px grow bg-line" />
      or
      <span className="h-px grow bg-line" />
    </div>
  )
}

export function LookIntoMail({ email, what }: { email: string; what: string }): ReactNode {
  return (
    <Door title="Look into your mail" lead={`If ${email} can be used here, ${what} is on its way to it.`}>
      <p className="text-sm text-muted">Nothing there? Look for it among the unwanted mail as well.</p>
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        Back to signing in
      </Link>
    </Door>
  )
}

export function SecondFactorPage(): ReactNode {
  const enter = useEnter()
  const returnTo = useReturn()
  const [isBackup, setBackup] = useState(false)
  const submit = async (code: string): Promise<void> => {
    const trimmed = code.trim()
    await (isBackup ? confirmBackupCode(trimmed) : confirmTotp(trimmed.replaceAll(' ', '')))
    enter(returnTo)
  }
  const lead = isBackup ? 'Each of your backup codes works once.' : 'Your authenticator app shows a code of six digits.'
  return (
    <Door title="One more step" lead={lead}>
      <Form isWide submit="Go on" key={String(isBackup)} onSubmit={(value) => submit(value('code'))}>
        {isBackup ? (
          <TextField name="code" label="Backup code" autoComplete="off" spellCheck={false} />
        ) : (
          <CodeField name="code" label="Code" />
        )}
      </Form>
      <Button look="quiet" onClick={() => setBackup(!isBackup)}>
        {isBackup ? 'Use the app' : 'Use a backup code'}
      </Button>
    </Door>
  )
}

export function ForgotPasswordPage(): ReactNode {
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <LookIntoMail email={sentTo} what="a link to choose a new password" />
  const submit = async (email: string): Promise<void> => {
    await requestPasswordReset(email)
    setSentTo(email)
  }
  return (
    <Door title="Choose a new password" lead="We send you a link for it.">
      <Form isWide submit="Send the link" onSubmit={(value) => submit(value('email'))}>
        <TextField name="email" label="Email" type="email" autoComplete="username" />
      </Form>
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        Back to signing in
      </Link>
    </Door>
  )
}
