import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { changeEmail, deleteAccount, rename } from '../../api/auth.ts'
import { isPushPossible } from '../../api/push.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { forgetDrafts } from '../../parts/drafts/draft-store.ts'
import { PasswordField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useHasWorkspace, useWorkspace } from '../../session/workspace.tsx'
import { PushHere } from '../contacts/push-here.tsx'
import { useContacts } from '../contacts/use-contacts.ts'
import { meQuery, useEnter, useMe, useSendsMail } from '../../session/session.ts'

export function AccountPage(): ReactNode {
  return (
    <>
      <PageHead title={t`Account`} lead={t`Your own settings, the same in every workspace.`} />
      <Name />
      <Email />
      {useHasWorkspace() && (
        <Suspense>
          <Notifications />
        </Suspense>
      )}
      <Delete />
    </>
  )
}

function Name(): ReactNode {
  const me = useMe()
  const client = useQueryClient()
  const toast = useToast()
  const submit = async (name: string): Promise<void> => {
    await rename(name)
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    toast(t`Your name is changed.`)
  }
  return (
    <Section title={t`Name`} lead={t`Shown to the members of your workspaces, and in their audit logs.`}>
      <Form submit={t`Save`} onSubmit={(value) => submit(value('name'))}>
        <TextField name="name" label={t`Your name`} defaultValue={me.name} autoComplete="name" />
      </Form>
    </Section>
  )
}

function Email(): ReactNode {
  const { email: present } = useMe()
  const sendsMail = useSendsMail()
  const toast = useToast()
  const submit = async (email: string): Promise<void> => {
    await changeEmail(email)
    toast(
      sendsMail
        ? t`Check your mail: a link is on its way to ${present}.`
        : t`This installation sends no mail: the operator finds the link for ${present} in the folder outbox of its data.`,
    )
  }
  return (
    <Section
      title={t`Email`}
      lead={t`You sign in with ${present}. A change is confirmed by the old and the new address.`}
    >
      <Form submit={t`Change`} onSubmit={(value) => submit(value('email'))}>
        <TextField name="email" label={t`New address`} type="email" autoComplete="email" />
      </Form>
    </Section>
  )
}

/** A short way to the contact that is this browser. */
function Notifications(): ReactNode {
  const { workspace } = useWorkspace()
  const mayWrite = useMayWrite()
  const contacts = useContacts()
  const { name } = workspace
  if (!mayWrite || !isPushPossible()) return null
  return (
    <Section
      title={t`Notifications in this browser`}
      lead={t`This browser shows the alerts of ${name}, even while the console is closed. It then appears among the contacts.`}
      action={<PushHere contacts={contacts} done={t`This browser shows alerts`} />}
    />
  )
}

function Delete(): ReactNode {
  const enter = useEnter()
  const [isAsking, setAsking] = useState(false)
  const submit = async (password: string): Promise<void> => {
    await deleteAccount(password)
    forgetDrafts(localStorage)
    enter('/sign-in')
  }
  return (
    <Section
      title={t`Delete the account`}
      lead={t`You leave every workspace. Where you are the last owner, make someone else an owner first.`}
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          <Trans>Delete …</Trans>
        </Button>
      }
    >
      {isAsking && (
        <DeleteDialog
          title={t`Delete your account?`}
          onSubmit={(value) => submit(value('password'))}
          onClose={() => setAsking(false)}
        >
          <PasswordField name="password" label={t`Password`} autoComplete="current-password" />
        </DeleteDialog>
      )}
    </Section>
  )
}
