import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type Invitation, type Me, readInvitation, setUp, signOut, signUpInvited } from '../api/auth.ts'
import { acceptInvitation } from '../api/console.ts'
import { ButtonLink } from '../parts/button.tsx'
import { PasswordField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Door, linkClass } from '../parts/page.tsx'
import { passwordHint } from '../parts/password-rule.ts'
import { problemOf } from '../parts/problem.ts'
import { Waiting } from '../parts/waiting.tsx'
import { meQuery, useSecret, useEnter, workspacesQuery } from '../session.ts'

/** The first start's own link: whoever has it becomes the owner. */
export function SetUpPage(): ReactNode {
  const enter = useEnter()
  const token = useSecret('token')
  const submit = async (given: { name: string; email: string; password: string }): Promise<void> => {
    await setUp({ token, ...given })
    enter('/')
  }
  return (
    <Door title="Set up Perigee" lead="You become the owner of this installation. The link works once.">
      <Form
        isWide
        submit="Create the owner's account"
        onSubmit={(value) => submit({ name: value('name'), email: value('email'), password: value('password') })}
      >
        <TextField name="name" label="Your name" autoComplete="name" />
        <TextField name="email" label="Email" type="email" autoComplete="username" hint="You sign in with it." />
        <PasswordField name="password" label="Password" autoComplete="new-password" hint={passwordHint} />
      </Form>
    </Door>
  )
}

/** Kept by the tab while somebody signs in, so that it never stands in an address that a server is told. */
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
      <Door title="This invitation is over" lead={problemOf(invitation.error).message}>
        <p className="text-sm text-muted">Ask whoever invited you for another one.</p>
        <ButtonLink to="/">To the console</ButtonLink>
      </Door>
    )
  const { workspace, invited_by: by, email, role } = invitation.data
  return (
    <Door title={`Join ${workspace}`} lead={`${by} invites ${email} as ${roleWords[role]}.`}>
      <Joining token={token} invitation={invitation.data} me={me.data ?? null} />
    </Door>
  )
}

const roleWords = { owner: 'an owner', member: 'a member', viewer: 'a viewer' } as const

type JoiningProps = { token: string; invitation: Invitation; me: Me | null }

function Joining({ token, invitation, me }: JoiningProps): ReactNode {
  if (me !== null) return me.email === invitation.email ? <Accept token={token} /> : <AnotherPerson me={me} />
  if (!invitation.has_account) return <SignUpInvited token={token} />
  return (
    <>
      <p>You have an account. Sign in with it, and accept then.</p>
      <Link to="/sign-in" search={{ return_to: '/invitation' }} className={`${linkClass} self-start font-medium`}>
        Sign in
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
  return <Form isWide submit="Join" onSubmit={submit} />
}

function AnotherPerson({ me }: { me: Me }): ReactNode {
  const client = useQueryClient()
  const submit = async (): Promise<void> => {
    await signOut()
    client.removeQueries({ queryKey: workspacesQuery.queryKey })
    await client.resetQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <>
      <Notice tone="warn">You are signed in as {me.email}. The invitation is for another address.</Notice>
      <Form isWide submit="Sign out" onSubmit={submit} />
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
      submit="Create the account and join"
      onSubmit={(value) => submit({ name: value('name'), password: value('password') })}
    >
      <TextField name="name" label="Your name" autoComplete="name" />
      <PasswordField name="password" label="Password" autoComplete="new-password" hint={passwordHint} />
    </Form>
  )
}
