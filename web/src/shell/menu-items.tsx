// What the two menus of the frame have, loaded when one is pointed at.
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { createWorkspace } from '../api/console.ts'
import { FormDialog } from '../parts/overlays/dialog.tsx'
import { TextField } from '../parts/form/field.tsx'
import { MenuChoice, MenuItem, MenuLabel, MenuLine } from '../parts/overlays/menu.tsx'
import { useLeave } from '../parts/form/unsaved.tsx'
import { useMe } from '../session/session.ts'
import { useWorkspace, useWorkspacesChanged } from '../session/workspace.tsx'
import { themes, useTheme } from './theme.ts'

export function WorkspaceItems({ onCreate }: { onCreate: () => void }): ReactNode {
  const { workspace, all, choose } = useWorkspace()
  const leave = useLeave()
  return (
    <>
      <MenuChoice
        label={t`Workspaces`}
        value={workspace.id}
        options={all.map((each) => ({ value: each.id, label: each.name }))}
        onChange={(next) => next !== workspace.id && leave(() => choose(next))}
      />
      <MenuLine />
      <MenuItem onSelect={() => leave(onCreate)}>
        <Trans>Create a workspace</Trans>
      </MenuItem>
    </>
  )
}

export function AccountItems({ onLeave }: { onLeave: () => void }): ReactNode {
  const me = useMe()
  const [theme, setTheme] = useTheme()
  return (
    <>
      <MenuLabel>{me.email}</MenuLabel>
      <MenuChoice label={t`Colours`} value={theme} options={themes()} onChange={setTheme} />
      <MenuLine />
      <MenuItem onSelect={onLeave}>
        <Trans>Sign out</Trans>
      </MenuItem>
    </>
  )
}

export function CreateWorkspace({ onClose }: { onClose: () => void }): ReactNode {
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
