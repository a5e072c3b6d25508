import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { signOut } from '../api/auth.ts'
import { createWorkspace } from '../api/console.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Chevron } from '../parts/icons.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../parts/menu.tsx'
import { problemOf } from '../parts/problem.ts'
import { useToast } from '../parts/toast.tsx'
import { useLeave } from '../parts/unsaved.tsx'
import { useEnter, useMe } from '../session/session.ts'
import { themes, useTheme } from './theme.ts'
import { useWorkspace, useWorkspacesChanged } from '../session/workspace.tsx'

const trigger =
  'flex w-full items-center justify-between gap-2 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left text-sm hover:bg-sunken'

export function WorkspaceMenu(): ReactNode {
  const { workspace, all, choose } = useWorkspace()
  const [isCreating, setCreating] = useState(false)
  const leave = useLeave()
  const { id, name } = workspace
  return (
    <>
      <Menu
        label={t`Workspace: ${name}`}
        className={trigger}
        trigger={
          <>
            <span className="truncate font-medium">{name}</span>
            <Chevron />
          </>
        }
      >
        <MenuChoice
          label={t`Workspaces`}
          value={id}
          options={all.map((each) => ({ value: each.id, label: each.name }))}
          onChange={(next) => next !== id && leave(() => choose(next))}
        />
        <MenuLine />
        <MenuItem onSelect={() => leave(() => setCreating(true))}>
          <Trans>Create a workspace</Trans>
        </MenuItem>
      </Menu>
      {isCreating && <CreateWorkspace onClose={() => setCreating(false)} />}
    </>
  )
}

function CreateWorkspace({ onClose }: { onClose: () => void }): ReactNode {
  const changed = useWorkspacesChanged()
  const { choose } = useWorkspace()
  const submit = async (name: string): Promise<void> => {
    const { id } = await createWorkspace(name)
    await changed('/welcome')
    choose(id)
    onClose()
  }
  return (
    <FormDialog
      title={t`Create a workspace`}
      submit={t`Create`}
      onSubmit={(value) => submit(value('name'))}
      onClose={onClose}
      unsaved={false}
    >
      <TextField name="name" label={t`Name`} autoComplete="off" />
    </FormDialog>
  )
}

export function useSignOut(): () => void {
  const enter = useEnter()
  const toast = useToast()
  return () =>
    void signOut().then(
      () => enter('/sign-in'),
      (error: unknown) => toast(problemOf(error).message),
    )
}

export function AccountMenu(): ReactNode {
  const me = useMe()
  const leave = useSignOut()
  const [theme, setTheme] = useTheme()
  return (
    <Menu
      className={trigger}
      trigger={
        <>
          <span className="min-w-0">
            <span className="sr-only">
              <Trans comment="the name follows">Account of</Trans>{' '}
            </span>
            <span className="block truncate font-medium">{me.name}</span>
            <span className="block truncate text-xs text-muted">{me.email}</span>
          </span>
          <Chevron />
        </>
      }
    >
      <MenuLabel>{me.email}</MenuLabel>
      <MenuChoice label={t`Colours`} value={theme} options={themes()} onChange={setTheme} />
      <MenuLine />
      <MenuItem onSelect={leave}>
        <Trans>Sign out</Trans>
      </MenuItem>
    </Menu>
  )
}
