import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import { type ScreenInput, type ScreenRecord, type ScreensApi, screensApi } from '../../api/screens.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DeleteDialog, Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { TagBadges, TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'

const screensKey = 'screens'

function useScreensApi(): ScreensApi {
  const { workspace } = useWorkspace()
  return useMemo(() => screensApi(workspace.id), [workspace.id])
}

type Asked = { what: 'add' } | { what: 'show'; url: string } | { what: 'change' | 'delete'; screen: ScreenRecord }

/** Walls that screens show by a link: which there are, another one, and the change or the end of one. */
export function ScreensPage(): ReactNode {
  const api = useScreensApi()
  const mayWrite = useMayWrite()
  const { data: screens } = useRead(screensKey, { read: () => api.list() })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  return (
    <>
      <PageHead
        title={t`Screens`}
        lead={t`A wall of monitors for a screen in the office. It opens with a link, needs no account and shows only names and states.`}
        action={
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/monitors" search={{ layout: 'wall' }}>
              <Trans>Wall</Trans>
            </ButtonLink>
            {mayWrite && (
              <Button look="primary" onClick={() => setAsked({ what: 'add' })}>
                <Trans>New screen</Trans>
              </Button>
            )}
          </div>
        }
      />
      <Section title={t`Links`}>
        {screens.length === 0 && (
          <Empty>{t`None yet. Each screen has a link of its own, which you can revoke without affecting the others.`}</Empty>
        )}
        <Rows label={t`Screens`}>
          {screens.map((screen) => (
            <ScreenRow key={screen.id} screen={screen} onAsk={mayWrite ? (what) => setAsked({ what, screen }) : null} />
          ))}
        </Rows>
      </Section>
      {asked?.what === 'add' && <Add onMade={(url) => setAsked({ what: 'show', url })} onClose={close} />}
      {asked?.what === 'show' && <ShowOnce url={asked.url} onClose={close} />}
      {asked?.what === 'change' && <Change screen={asked.screen} onClose={close} />}
      {asked?.what === 'delete' && <Delete screen={asked.screen} onClose={close} />}
    </>
  )
}

type RowProps = { screen: ScreenRecord; onAsk: ((what: 'change' | 'delete') => void) | null }

function ScreenRow({ screen, onAsk }: RowProps): ReactNode {
  const { name, tags, created_at: madeAt, created_by: maker, last_used_at: used } = screen
  return (
    <Row
      title={
        <>
          {name}
          <TagBadges tags={tags} />
        </>
      }
      details={
        <>
          {tags.length === 0 ? t`All monitors` : t`Monitors with one of these tags`}
          {' · '}
          <Trans>
            created by {maker}, <Time at={madeAt} by="day" />
          </Trans>
          {' · '}
          {used === null ? (
            t`not opened yet`
          ) : (
            <Trans>
              last shown <Time at={used} />
            </Trans>
          )}
        </>
      }
      action={
        onAsk !== null && (
          <>
            <Button aria-label={t`Change ${name}`} onClick={() => onAsk('change')}>
              <Trans>Change</Trans>
            </Button>
            <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onAsk('delete')}>
              <Trans>Delete</Trans>
            </Button>
          </>
        )
      }
    />
  )
}

function lookOf(value: string): ScreenInput['look'] {
  return value === 'light' || value === 'auto' ? value : 'dark'
}

function inputOf(value: Values, sent: FormData): ScreenInput {
  return { name: value('name'), tags: readTags(sent), look: lookOf(value('look')) }
}

function Add({ onMade, onClose }: { onMade: (url: string) => void; onClose: () => void }): ReactNode {
  const api = useScreensApi()
  const changed = useChanged()
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    const { url } = await api.add(inputOf(value, sent))
    await changed(screensKey)
    onMade(url)
  }
  return (
    <FormDialog title={t`New screen`} submit={t`Create the link`} onSubmit={submit} onClose={onClose}>
      <ScreenFields of={null} />
    </FormDialog>
  )
}

/** The link of the screen stays, so that the browsers that have it go on. */
function Change({ screen, onClose }: { screen: ScreenRecord; onClose: () => void }): ReactNode {
  const { id, name } = screen
  const api = useScreensApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    await api.change(id, inputOf(value, sent))
    await changed(screensKey)
    toast(t`Saved. Its link stays, and screens that show it follow within seconds.`)
    onClose()
  }
  return (
    <FormDialog title={t`Change the screen ${name}`} submit={t`Save`} onSubmit={submit} onClose={onClose}>
      <ScreenFields of={screen} />
    </FormDialog>
  )
}

function ScreenFields({ of }: { of: ScreenRecord | null }): ReactNode {
  return (
    <>
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        defaultValue={of?.name ?? ''}
        hint={t`Where it hangs, such as Office, 2nd floor.`}
      />
      <TagsField
        held={of?.tags ?? []}
        hint={t`It shows the monitors that have one of these tags. Leave it empty to show all.`}
      />
      <SelectField
        name="look"
        label={t`Colours`}
        defaultValue={of?.look ?? 'dark'}
        options={[
          { value: 'dark', label: t`Dark` },
          { value: 'light', label: t`Light` },
          { value: 'auto', label: t`As the screen’s browser prefers` },
        ]}
      />
    </>
  )
}

function ShowOnce({ url, onClose }: { url: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={t`The link of the screen`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">
          <Trans>It is shown only once. Anyone who has it can see the names and states of these monitors.</Trans>
        </Notice>
        <CopyText label={t`Link`} text={url} />
        <p className="text-muted">
          <Trans>Open it on the screen and switch to full screen. The browser there remembers it.</Trans>
        </p>
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}

function Delete({ screen: { id, name }, onClose }: { screen: ScreenRecord; onClose: () => void }): ReactNode {
  const api = useScreensApi()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.remove(id)
    await changed(screensKey)
    onClose()
  }
  return (
    <DeleteDialog title={t`Delete the screen ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Its link stops working, and screens that show it now stop within seconds.</Trans>
      </p>
    </DeleteDialog>
  )
}
