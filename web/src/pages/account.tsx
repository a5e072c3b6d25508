import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { changeEmail, deleteAccount, rename } from '../api/auth.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { PasswordField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { useToast } from '../parts/toast.tsx'
import { meQuery, useEnter, useMe } from '../session.ts'

export function AccountPage(): ReactNode {
  return (
    <>
      <PageHead title="Account" lead="Yours, whatever the workspace." />
      <Name />
      <Email />
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
    toast('Your name is changed.')
  }
  return (
    <Section title="Name" lead="Shown to the members of your workspaces, and in their audit logs.">
      <Form submit="Save" onSubmit={(value) => submit(value('name'))}>
        <TextField name="name" label="Your name" defaultValue={me.name} autoComplete="name" />
      </Form>
    </Section>
  )
}

function Email(): ReactNode {
  const me = useMe()
  const toast = useToast()
  const submit = async (email: string): Promise<void> => {
    await changeEmail(email)
    toast(`Look into your mail: a link is on its way to ${me.email}.`)
  }
  return (
    <Section title="Email" lead={`You sign in with ${me.email}. A change is confirmed by the old and the new address.`}>
      <Form submit="Change" onSubmit={(value) => submit(value('email'))}>
        <TextField name="email" label="New address" type="email" autoComplete="email" />
      </Form>
    </Section>
  )
}

function Delete(): ReactNode {
  const enter = useEnter()
  const [isAsking, setAsking] = useState(false)
  const submit = async (password: string): Promise<void> => {
    await deleteAccount(password)
    enter('/sign-in')
  }
  return (
    <Section
      title="Delete the account"
      lead="You leave every workspace. Where you are the last owner, make somebody else one first."
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete …
        </Button>
      }
    >
      {isAsking && (
        <FormDialog
          title="Delete your account?"
          submit="Delete for good"
          look="danger"
          onSubmit={(value) => submit(value('password'))}
          onClose={() => setAsking(false)}
        >
          <PasswordField name="password" label="Password" autoComplete="current-password" />
        </FormDialog>
      )}
    </Section>
  )
}
