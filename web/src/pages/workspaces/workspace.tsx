import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { numberText } from '../../parts/language.ts'
import { DeleteDialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useHasPayments, useMe, workspacesQuery } from '../../session/session.ts'
import { useRead, useWorkspace, useWorkspacesChanged } from '../../session/workspace.tsx'

export function WorkspacePage(): ReactNode {
  const { workspace, isOwner } = useWorkspace()
  const { name } = workspace
  const hasPayments = useHasPayments()
  return (
    <>
      <PageHead title={t`General`} lead={t`Of the workspace ${name}.`} />
      {isOwner && <Name key={workspace.id} />}
      <Plan />
      {workspace.role !== 'viewer' && <SetUp />}
      {workspace.role !== 'viewer' && <MoveIn />}
      {isOwner && hasPayments && <TakeOver />}
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
    toast(t`The workspace is renamed.`)
  }
  return (
    <Section title={t`Name`}>
      <Form submit={t`Save`} onSubmit={(value) => submit(value('name'))}>
        <TextField name="name" label={t`Name of the workspace`} defaultValue={workspace.name} autoComplete="off" />
      </Form>
    </Section>
  )
}

function Plan(): ReactNode {
  const { isOwner } = useWorkspace()
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { limit: allSlots, used: usedSlots } = account.plan_monitors
  const [used, limit] = [usedSlots, allSlots].map(numberText)
  return (
    <Section
      title={t`Plan`}
      action={
        isOwner && (
          <ButtonLink to="/settings/plan">
            <Trans>Plan and usage</Trans>
          </ButtonLink>
        )
      }
    >
      <p>
        <span className="font-medium">{account.plan.replaceAll('_', ' ')}</span>
        <span className="text-muted">
          {' · '}
          <Trans>
            {used} of {limit} monitor slots used
          </Trans>
        </span>
      </p>
    </Section>
  )
}

function SetUp(): ReactNode {
  return (
    <Section
      title={t`Set-up`}
      lead={t`What to watch, who to alert and what to show, step by step from where you stopped.`}
      action={
        <ButtonLink to="/welcome">
          <Trans>Continue …</Trans>
        </ButtonLink>
      }
    />
  )
}

function MoveIn(): ReactNode {
  return (
    <Section
      title={t`Moving in`}
      lead={t`Bring monitors, contacts and status pages from another tool.`}
      action={
        <ButtonLink to="/settings/import">
          <Trans>Move in …</Trans>
        </ButtonLink>
      }
    />
  )
}

function TakeOver(): ReactNode {
  return (
    <Section
      title={t`Take over`}
      lead={t`Monitors that were paid for without an account have a key. Use it to move them here.`}
      action={
        <ButtonLink to="/settings/take-over">
          <Trans>Take over …</Trans>
        </ButtonLink>
      }
    />
  )
}

function Leave(): ReactNode {
  const { workspace, api } = useWorkspace()
  const { name } = workspace
  const me = useMe()
  const changed = useWorkspacesChanged()
  const [isAsking, setAsking] = useState(false)
  const submit = async (): Promise<void> => {
    await api.removeMember(me.id)
    await changed()
  }
  return (
    <Section
      title={t`Leave`}
      lead={t`What is in the workspace stays. To come back you have to be invited.`}
      action={
        <Button onClick={() => setAsking(true)}>
          <Trans>Leave …</Trans>
        </Button>
      }
    >
      {isAsking && (
        <FormDialog
          title={t`Leave ${name}?`}
          submit={t`Leave`}
          look="danger"
          onSubmit={submit}
          onClose={() => setAsking(false)}
        >
          <p className="text-muted">
            <Trans>You will no longer see it, and the agents that you let in are disconnected.</Trans>
          </p>
        </FormDialog>
      )}
    </Section>
  )
}

function Delete(): ReactNode {
  const { workspace, api } = useWorkspace()
  const { name } = workspace
  const changed = useWorkspacesChanged()
  const [isAsking, setAsking] = useState(false)
  const submit = async (): Promise<void> => {
    await api.deleteWorkspace()
    await changed()
  }
  return (
    <Section
      title={t`Delete`}
      lead={t`Its monitors and tokens stop working, and its history is deleted permanently.`}
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          <Trans>Delete …</Trans>
        </Button>
      }
    >
      {isAsking && (
        <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={() => setAsking(false)}>
          <p className="text-muted">
            <Trans>None of it can be restored.</Trans>
          </p>
        </DeleteDialog>
      )}
    </Section>
  )
}
