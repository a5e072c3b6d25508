// What the menu of saved views has and asks, loaded when it is pointed at.
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type SavedViewRecord, savedViewsApi } from '../../api/saved-views.ts'
import { DeleteDialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../parts/overlays/menu.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { type View, readView } from './monitors-view.ts'
import {
  choicesOf,
  chosenView,
  keepFirstView,
  readFirstView,
  useSavedViews,
  useSavedViewsChange,
  viewOf,
} from './saved-views.ts'

export type ViewsProps = { view: View; onView: (view: View) => void }
export type Asked = 'save' | { rename: SavedViewRecord } | { delete: SavedViewRecord }

export function SavedViewItems({ view, onView, onAsk }: ViewsProps & { onAsk: (asked: Asked) => void }): ReactNode {
  const all = useSavedViews()
  const mayWrite = useMayWrite()
  const { chosen, isChanged } = chosenView(all, view)
  const choose = (id: string): void => {
    const found = all.find((each) => each.id === id)
    onView(found === undefined ? {} : viewOf(found))
  }
  return (
    <>
      {all.length === 0 && (
        <MenuLabel>
          <Trans>No view is saved yet</Trans>
        </MenuLabel>
      )}
      {all.length > 0 && (
        <MenuChoice
          label={t`Saved views`}
          value={chosen?.id ?? ''}
          options={[{ value: '', label: t`All monitors` }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={choose}
        />
      )}
      {chosen !== null && isChanged && (
        <MenuItem onSelect={() => choose(chosen.id)}>
          <Trans>Undo the changes</Trans>
        </MenuItem>
      )}
      {chosen !== null && <FirstItem key={chosen.id} of={chosen} />}
      {mayWrite && <MenuLine />}
      {mayWrite && <Writing chosen={chosen} isChanged={isChanged} view={view} onAsk={onAsk} />}
    </>
  )
}

type DialogProps = ViewsProps & { asked: Asked; onClose: () => void }

export function SavedViewDialog({ asked, view, onView, onClose }: DialogProps): ReactNode {
  if (asked === 'save') return <SaveDialog view={view} onView={onView} onClose={onClose} />
  if ('rename' in asked) return <RenameDialog of={asked.rename} onClose={onClose} />
  const forget = (): void => onView(readView({ ...view, saved: '' }))
  return <DeleteViewDialog of={asked.delete} onDeleted={forget} onClose={onClose} />
}

/** It is asked of this browser alone. */
function FirstItem({ of: { id } }: { of: SavedViewRecord }): ReactNode {
  const { workspace } = useWorkspace()
  const toast = useToast()
  const isFirst = readFirstView(workspace.id) === id
  const set = (): void => {
    keepFirstView(workspace.id, isFirst ? null : id)
    toast(isFirst ? t`The overview opens with all monitors.` : t`The overview opens with this view, in this browser.`)
  }
  return (
    <MenuItem onSelect={set}>
      {isFirst ? <Trans>No longer open it first</Trans> : <Trans>Open it first</Trans>}
    </MenuItem>
  )
}

type WritingProps = {
  chosen: SavedViewRecord | null
  isChanged: boolean
  view: View
  onAsk: (asked: Asked) => void
}

function Writing({ chosen, isChanged, view, onAsk }: WritingProps): ReactNode {
  const { workspace } = useWorkspace()
  const change = useSavedViewsChange()
  const toast = useToast()
  const saveOver = async ({ id, name }: SavedViewRecord): Promise<string> => {
    const saved = await savedViewsApi(workspace.id).change(id, { view: choicesOf(view) })
    change((all) => all.map((each) => (each.id === id ? saved : each)))
    return t`${name} is saved as it is shown.`
  }
  const over = (of: SavedViewRecord): void =>
    void saveOver(of).then(toast, (error: unknown) => toast(problemOf(error).message))
  return (
    <>
      {chosen !== null && isChanged && (
        <MenuItem onSelect={() => over(chosen)}>
          <Trans context="a saved view">Save over it</Trans>
        </MenuItem>
      )}
      <MenuItem onSelect={() => onAsk('save')}>
        <Trans>Save as a new view …</Trans>
      </MenuItem>
      {chosen !== null && (
        <>
          <MenuItem onSelect={() => onAsk({ rename: chosen })}>
            <Trans context="a saved view">Rename it …</Trans>
          </MenuItem>
          <MenuItem onSelect={() => onAsk({ delete: chosen })}>
            <Trans context="a saved view">Delete it …</Trans>
          </MenuItem>
        </>
      )}
    </>
  )
}

function SaveDialog({ view, onView, onClose }: ViewsProps & { onClose: () => void }): ReactNode {
  const { workspace } = useWorkspace()
  const change = useSavedViewsChange()
  const submit = async (value: (name: string) => string): Promise<void> => {
    const made = await savedViewsApi(workspace.id).add({ name: value('name').trim(), view: choicesOf(view) })
    change((all) => [...all, made])
    onView(viewOf(made))
    onClose()
  }
  return (
    <FormDialog title={t`Save this view`} submit={t`Save`} onSubmit={submit} onClose={onClose} unsaved={false}>
      <p className="text-sm text-muted">
        <Trans>
          Search, filters, order, groups and layout, under a name. All members of the workspace can choose it.
        </Trans>
      </p>
      <TextField name="name" label={t`Name`} autoComplete="off" maxLength={60} />
    </FormDialog>
  )
}

type OneProps = { of: SavedViewRecord; onClose: () => void }

function RenameDialog({ of: { id, name }, onClose }: OneProps): ReactNode {
  const { workspace } = useWorkspace()
  const change = useSavedViewsChange()
  const submit = async (value: (name: string) => string): Promise<void> => {
    const saved = await savedViewsApi(workspace.id).change(id, { name: value('name').trim() })
    change((all) => all.map((each) => (each.id === id ? saved : each)))
    onClose()
  }
  return (
    <FormDialog title={t`Rename ${name}`} submit={t`Rename`} onSubmit={submit} onClose={onClose} unsaved={false}>
      <TextField name="name" label={t`Name`} defaultValue={name} autoComplete="off" maxLength={60} />
    </FormDialog>
  )
}

function DeleteViewDialog({ of: { id, name }, onDeleted, onClose }: OneProps & { onDeleted: () => void }): ReactNode {
  const { workspace } = useWorkspace()
  const change = useSavedViewsChange()
  const submit = async (): Promise<void> => {
    await savedViewsApi(workspace.id).remove(id)
    onDeleted()
    change((all) => all.filter((each) => each.id !== id))
    onClose()
  }
  return (
    <DeleteDialog title={t`Delete the view ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Members can no longer choose it. No monitor is changed.</Trans>
      </p>
    </DeleteDialog>
  )
}
