import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { confirmBackupCode, confirmTotp, requestPasswordReset, sendSignInLink, signIn } from '../../api/auth.ts'
import { arePasskeysPossible, signInWithPasskey } from '../../api/passkey.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CodeField, PasswordField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Door, linkClass } from '../../parts/page.tsx'
import { returnSearch, settingsQuery, useEnter, useSendsMail } from '../../session/session.ts'
import { AskOperator } from './ask-operator.tsx'

/** The page that follows signing in. */
function useReturn(): string {
  return useSearch({ from: '/outside' }).return_to ?? '/'
}

export function SignInPage(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const returnTo = useReturn()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isByLink, setByLink] = useState(false)
  const { public_url: address, sends_mail: sendsMail } = settings
  const isElsewhere = new URL(address).origin !== location.origin
  if (sentTo !== null)
    return <LookIntoMail lead={t`If ${sentTo} can be used here, a link that signs you in is on its way to it.`} />
  const mayJoin = settings.sign_up === 'open'
  return (
    <Door
      title={t`Sign in`}
      below={
        mayJoin && (
          <Trans>
            New here?{' '}
            <Link to="/sign-up" search={returnSearch(returnTo)} className={linkClass}>
              Create an account
            </Link>
          </Trans>
        )
      }
    >
      {isElsewhere && (
        <Notice tone="warn">
          <Trans>
            Signing in works at{' '}
            <a href={address} className="underline">
              {address}
            </a>{' '}
            only.
          </Trans>
        </Notice>
      )}
      {settings.awaits_owner && <SetUpFirst />}
      {isByLink ? <LinkForm returnTo={returnTo} onSent={setSentTo} /> : <PasswordForm returnTo={returnTo} />}
      <Or />
      <div className="flex flex-col gap-2">
        {arePasskeysPossible() && <PasskeyForm returnTo={returnTo} />}
        <ButtonLink to="/sign-in/single-sign-on" search={returnSearch(returnTo)} look="secondary" isWide>
          <Trans>Single sign-on</Trans>
        </ButtonLink>
        {sendsMail && (
          <Button isWide onClick={() => setByLink(!isByLink)}>
            {isByLink ? t`Use the password` : t`Send me a link instead`}
          </Button>
        )}
      </div>
    </Door>
  )
}

/** The link itself is a secret of whoever started the service. */
function SetUpFirst(): ReactNode {
  return (
    <Notice>
      <Trans>
        This installation has no owner yet. The person who started it finds the set-up link in the terminal or the log
        of the service, after “Sign up here”. The command <code>perigee workspace setup-link</code> prints another one.
      </Trans>
    </Notice>
  )
}

function PasswordForm({ returnTo }: { returnTo: string }): ReactNode {
  const enter = useEnter()
  const navigate = useNavigate()
  const sendsMail = useSendsMail()
  const submit = async (email: string, password: string): Promise<void> => {
    const { needsSecondFactor } = await signIn({ email, password }, { sendsMail })
    if (needsSecondFactor) await navigate({ to: '/sign-in/second-factor', search: returnSearch(returnTo) })
    else enter(returnTo)
  }
  return (
    <Form isWide submit={t`Sign in`} onSubmit={(value) => submit(value('email'), value('password'))}>
      <TextField name="email" label={t`Email`} type="email" autoComplete="username" />
      <div className="flex flex-col gap-1">
        <PasswordField name="password" label={t`Password`} autoComplete="current-password" />
        <Link to="/forgot-password" className={`self-start text-sm ${linkClass}`}>
          <Trans>Forgot it?</Trans>
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
    <Form isWide submit={t`Send the link`} onSubmit={(value) => submit(value('email'))}>
      <TextField
        name="email"
        label={t`Email`}
        type="email"
        autoComplete="username"
        hint={t`The link works for 15 minutes.`}
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
  return <Form isWide look="secondary" submit={t`Sign in with a passkey`} onSubmit={submit} />
}

function Or(): ReactNode {
  return (
    <div className="flex items-center gap-3 text-sm text-muted" aria-hidden="true">
      <span className="h-px grow bg-line" />
      <Trans context="between two ways">or</Trans>
      <span className="h-px grow bg-line" />
    </div>
  )
}

function LookIntoMail({ lead }: { lead: string }): ReactNode {
  return (
    <Door title={t`Check your mail`} lead={lead}>
      <p className="text-sm text-muted">
        <Trans>Nothing there? Look in the spam folder, too.</Trans>
      </p>
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        <Trans>Back to sign-in</Trans>
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
  const lead = isBackup
    ? t`Each of your backup codes works once.`
    : t`Your authenticator app shows a code of six digits.`
  return (
    <Door title={t`One more step`} lead={lead}>
      <Form isWide submit={t`Continue`} key={String(isBackup)} onSubmit={(value) => submit(value('code'))}>
        {isBackup ? (
          <TextField name="code" label={t`Backup code`} autoComplete="off" spellCheck={false} />
        ) : (
          <CodeField name="code" label={t`Code`} />
        )}
      </Form>
      <Button look="quiet" onClick={() => setBackup(!isBackup)}>
        {isBackup ? t`Use the app` : t`Use a backup code`}
      </Button>
    </Door>
  )
}

export function ForgotPasswordPage(): ReactNode {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const sendsMail = useSendsMail()
  if (sentTo !== null)
    return sendsMail ? (
      <LookIntoMail lead={t`If ${sentTo} can be used here, a link to choose a new password is on its way to it.`} />
    ) : (
      <AskOperator
        lead={t`This installation sends no mail. If ${sentTo} can be used here, a link to choose a new password is kept in the folder outbox of its data. It works for an hour.`}
      />
    )
  const submit = async (email: string): Promise<void> => {
    await requestPasswordReset(email)
    setSentTo(email)
  }
  return (
    <Door
      title={t`Choose a new password`}
      lead={
        sendsMail
          ? t`We send you a link for it.`
          : t`You need a link. This installation sends no mail, so the operator has to give you the link.`
      }
    >
      <Form
        isWide
        submit={sendsMail ? t`Send the link` : t`Ask for the link`}
        onSubmit={(value) => submit(value('email'))}
      >
        <TextField name="email" label={t`Email`} type="email" autoComplete="username" />
      </Form>
      <Link to="/sign-in" className={`text-sm ${linkClass}`}>
        <Trans>Back to sign-in</Trans>
      </Link>
    </Door>
  )
}
