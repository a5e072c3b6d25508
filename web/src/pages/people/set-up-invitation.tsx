import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { type Invitation, type Me, readInvitation, setUp, signOut, signUpInvited } from '../../api/auth.ts'
import { acceptInvitation } from '../../api/console.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { forgetDrafts } from '../../parts/drafts/draft-store.ts'
import { PasswordField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Door, linkClass } from '../../parts/page.tsx'
import { passwordHint } from '../../parts/form/password-rule.ts'
import { problemOf } from '../../parts/problem.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { meQuery, useSecret, useEnter, workspacesQuery } from '../../session/session.ts'
import { proposedName } from './proposed-name.ts'

/** The link of the first start: the person who has it becomes the owner. */
export function SetUpPage(): ReactNode {
  const enter = useEnter()
  const token = useSecret('token')
  const [email, setEmail] = useState('')
  const [name, setName] = useState<string | null>(null)
  const submit = async (given: { name: string; email: string; password: string }): Promise<void> => {
    await setUp({ token, ...given })
    enter('/welcome')
  }
  return (
    <Door title={t`Set up Perigee`} lead={t`You become the owner of this installation. The link works once.`}>
      <Form
        isWide
        submit={t`Create the owner's account`}
        onSubmit={(value) => submit({ name: value('name'), email: value('email'), password: value('password') })}
      >
        <TextField
          name="email"
          label={t`Email`}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="username"
          hint={t`You sign in with it.`}
        />
        <TextField
          name="name"
          label={t`Your name`}
          value={name ?? proposedName(email)}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="name"
          hint={t`Members of your workspaces see it.`}
        />
        <PasswordField name="password" label={t`Password`} autoComplete="new-password" hint={passwordHint()} />
      </Form>
    </Door>
  )
}

/** The tab keeps it while the person signs in, so that it never stands in an address that reaches a server. */
const storageKey = 'perigee.invitation'

function useInvitationToken(): string {
  const given = useSecret('token')
  useEffect(() => {
    if (given !== '') sessionStorage.setItem(storageKey, given)
  }, [given])
  return given === '' ? (sessionStorage.getItem(storageKey) ?? '') : given
}

export function InvitationPage(): ReactNode {
  const token = useInvitationToken()
  const me = useQuery(meQuery)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    staleTime: Infinity,
    retry: false,
  })
  if (me.isPending || invitation.isPending) return <Waiting />
  if (invitation.isError)
    return (
      <Door title={t`This invitation is no longer valid`} lead={problemOf(invitation.error).message}>
        <p className="text-sm text-muted">
          <Trans>Ask the person who invited you for a new one.</Trans>
        </p>
        <ButtonLink to="/">
          <Trans>To the console</Trans>
        </ButtonLink>
      </Door>
    )
  const { workspace } = invitation.data
  return (
    <Door title={t`Join ${workspace}`} lead={leadOf(invitation.data)}>
      <Joining token={token} invitation={invitation.data} me={me.data ?? null} />
    </Door>
  )
}

function leadOf({ invited_by: by, email, role }: Invitation): string {
  switch (role) {
    case 'owner':
      return t`${by} invites ${email} as an owner.`
    case 'member':
      return t`${by} invites ${email} as a member.`
    case 'viewer':
      return t`${by} invites ${email} as a viewer.`
  }
}

type JoiningProps = { token: string; invitation: Invitation; me: Me | null }

function Joining({ token, invitation, me }: JoiningProps): ReactNode {
  if (me !== null) return me.email === invitation.email ? <Accept token={token} /> : <AnotherPerson me={me} />
  if (!invitation.has_account) return <SignUpInvited token={token} />
  return (
    <>
      <p>
        <Trans>You have an account. Sign in with it first, then accept.</Trans>
      </p>
      <Link to="/sign-in" search={{ return_to: '/invitation' }} className={`${linkClass} self-start font-medium`}>
        <Trans>Sign in</Trans>
      </Link>
    </>
  )
}

function Accept({ token }: { token: string }): ReactNode {
  const enter = useEnter()
  const submit = async (): Promise<void> => {
    const { id } = await acceptInvitation(token)
    localStorage.setItem('perigee.workspace', id)
    enter('/')
  }
  return <Form isWide submit={t`Join`} onSubmit={submit} />
}

function AnotherPerson({ me: { email } }: { me: Me }): ReactNode {
  const client = useQueryClient()
  const submit = async (): Promise<void> => {
    await signOut()
    forgetDrafts(localStorage)
    client.removeQueries({ queryKey: workspacesQuery.queryKey })
    await client.resetQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <>
      <Notice tone="warn">
        <Trans>You are signed in as {email}. The invitation is for another address.</Trans>
      </Notice>
      <Form isWide submit={t`Sign out`} onSubmit={submit} />
    </>
  )
}

function SignUpInvited({ token }: { token: string }): ReactNode {
  const enter = useEnter()
  const submit = async (given: { name: string; password: string }): Promise<void> => {
    await signUpInvited({ token, ...given })
    enter('/')
  }
  return (
    <Form
      isWide
      submit={t`Create the account and join`}
      onSubmit={(value) => submit({ name: value('name'), password: value('password') })}
    >
      <TextField name="name" label={t`Your name`} autoComplete="name" />
      <PasswordField name="password" label={t`Password`} autoComplete="new-password" hint={passwordHint()} />
    </Form>
  )
}
