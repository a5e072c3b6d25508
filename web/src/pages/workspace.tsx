import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { useToast } from '../parts/toast.tsx'
import { useMe, workspacesQuery } from '../session.ts'
import { useRead, useWorkspace, useWorkspacesChanged } from '../workspace.tsx'

export function WorkspacePage(): ReactNode {
  const { workspace, isOwner } = useWorkspace()
  return (
    <>
      <PageHead title="General" lead={`Of the workspace ${workspace.name}.`} />
      {isOwner && <Name key={workspace.id} />}
      <Plan />
      {isOwner && <TakeOver />}
      <Leave />
      {isOwner && <Delete />}
    </>
  )
}

function Name(): ReactNode {
  const { workspace, api } = useWorkspace()
  const client = useQueryClient()
  const toast = useToast()
  const submit = async (name: string): Promise<void> => {
    await api.renameWorkspace(name)
    await client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    toast('The workspace is renamed.')
  }
  return (
    <Section title="Name">
      <Form submit="Save" onSubmit={(value) => submit(value('name'))}>
        <TextField name="name" label="Name of the workspace" defaultValue={workspace.name} autoComplete="off" />
      </Form>
    </Section>
  )
}

function Plan(): ReactNode {
  const { isOwner } = useWorkspace()
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { limit, used } = account.plan_monitors
  return (
    <Section title="Plan" action={isOwner && <ButtonLink to="/settings/plan">Plan and usage</ButtonLink>}>
      <p>
        <span className="font-medium">{account.plan.replaceAll('_', ' ')}</span>
        <span className="text-muted">
          {' '}
          · {used} of {limit} monitor slots used
        </span>
      </p>
    </Section>
  )
}

function TakeOver(): ReactNode {
  return (
    <Section
      title="Take over"
      lead="What was paid for without an account has a key, and moves here with it."
      action={<ButtonLink to="/settings/take-over">Take over …</ButtonLink>}
    />
  )
}

function Leave(): ReactNode {
  const { workspace, api } = useWorkspace()
  const me = useMe()
  const changed = useWorkspacesChanged()
  const [isAsking, setAsking] = useState(false)
  const submit = async (): Promise<void> => {
    await api.removeMember(me.id)
    await changed()
  }
  return (
    <Section
      title="Leave"
      lead="What is in the workspace stays. To come back you have to be invited."
      action={<Button onClick={() => setAsking(true)}>Leave …</Button>}
    >
      {isAsking && (
        <FormDialog
          title={`Leave ${workspace.name}?`}
          submit="Leave"
          look="danger"
          onSubmit={submit}
          onClose={() => setAsking(false)}
        >
          <p className="text-muted">
            You will see nothing of it any more, and the agents that you let in are disconnected.
          </p>
        </FormDialog>
      )}
    </Section>
  )
}

function Delete(): ReactNode {
  const { workspace, api } = useWorkspace()
  const changed = useWorkspacesChanged()
  const [isAsking, setAsking] = useState(false)
  const submit = async (): Promise<void> => {
    await api.deleteWorkspace()
    await changed()
  }
  return (
    <Section
      title="Delete"
      lead="Its monitors stop, its tokens end, and its history is gone for good."
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete …
        </Button>
      }
    >
      {isAsking && (
        <FormDialog
          title={`Delete ${workspace.name}?`}
          submit="Delete for good"
          look="danger"
          onSubmit={submit}
          onClose={() => setAsking(false)}
        >
          <p className="text-muted">Nothing of it can be brought back.</p>
        </FormDialog>
      )}
    </Section>
  )
}
