import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord, Software, SoftwareImport } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField, TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { listed } from '../../parts/language.ts'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useShown } from '../../parts/shown.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { fileClass } from '../../parts/schema/fieldset.tsx'
import { useChanged } from '../../session/workspace.tsx'
import { findingsKey } from './software-key.ts'
import { useMonitors } from '../../session/use-monitors.ts'

type ListProps = { monitor: MonitorRecord; software: readonly Software[]; mayWrite: boolean }

/** The software of a target: found, imported, or added by hand. */
export function SoftwareList({ monitor, software, mayWrite }: ListProps): ReactNode {
  const [asked, setAsked] = useState<'add' | 'import' | null>(null)
  const close = (): void => setAsked(null)
  const { shown, more } = useShown(software)
  const count = software.length
  const actions = (
    <div className="flex gap-2">
      <Button onClick={() => setAsked('add')}>
        <Trans>Add</Trans>
      </Button>
      <Button onClick={() => setAsked('import')}>
        <Trans>Import a list</Trans>
      </Button>
    </div>
  )
  return (
    <Section title={t`Software`} lead={t`${count} in the list.`} action={mayWrite && actions}>
      {count === 0 && (
        <Empty>
          <Trans>Nothing was found yet.</Trans>
        </Empty>
      )}
      <Rows label={t`Software`}>
        {shown.map((entry) => (
          <Entry key={entry.id} monitor={monitor} entry={entry} mayWrite={mayWrite} />
        ))}
      </Rows>
      {more}
      {asked === 'add' && <Add monitor={monitor} onClose={close} />}
      {asked === 'import' && <Import monitor={monitor} onClose={close} />}
    </Section>
  )
}

const sources: Readonly<Record<Software['source'], MessageDescriptor>> = {
  detected: msg`Found`,
  import: msg`Imported`,
  manual: msg`By hand`,
}

type EntryProps = { monitor: MonitorRecord; entry: Software; mayWrite: boolean }

function Entry({ monitor, entry, mayWrite }: EntryProps): ReactNode {
  const monitors = useMonitors()
  const act = useAct(monitor.id)
  const { id, name, version, source, evidence, ignored } = entry
  return (
    <Row
      title={
        <>
          {name} {version}
          <Badge>{i18n._(sources[source])}</Badge>
          {ignored && (
            <Badge>
              <Trans>Ignored</Trans>
            </Badge>
          )}
        </>
      }
      details={[version === null ? t`version unknown` : null, evidence].filter((text) => text !== null).join(' · ')}
      action={
        mayWrite && (
          <>
            <Button
              look="quiet"
              aria-label={ignored ? t`Follow ${name}` : t`Ignore ${name}`}
              onClick={() => void act(() => monitors.ignoreSoftware(monitor.id, id, !ignored))}
            >
              {ignored ? t`Follow` : t`Ignore`}
            </Button>
            {source !== 'detected' && (
              <Button
                look="quiet"
                aria-label={t`Remove ${name}`}
                onClick={() => void act(() => monitors.removeSoftware(monitor.id, id))}
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </>
        )
      }
    />
  )
}

/** Does it, reads the list again, and says what stood in the way. */
function useAct(id: string): (work: () => Promise<unknown>) => Promise<void> {
  const changed = useChanged()
  const toast = useToast()
  return async (work) => {
    try {
      await work()
      await changed(findingsKey(id))
    } catch (error) {
      toast(problemOf(error).message)
    }
  }
}

type AskedOf = { monitor: MonitorRecord; onClose: () => void }

function Add({ monitor, onClose }: AskedOf): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const submit = async (name: string, version: string): Promise<void> => {
    await monitors.addSoftware(monitor.id, { name, version: version === '' ? null : version })
    await changed(findingsKey(monitor.id))
    onClose()
  }
  return (
    <FormDialog
      title={t`Add software`}
      submit={t`Add`}
      onSubmit={(value) => submit(value('name').trim(), value('version').trim())}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        hint={t`Such as nginx, or npm:express, pypi:django, cpe:vendor:product.`}
      />
      <TextField
        name="version"
        label={t`Version`}
        autoComplete="off"
        hint={t`Without it, findings for any version may apply.`}
      />
    </FormDialog>
  )
}

function Import({ monitor, onClose }: AskedOf): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const [file, setFile] = useState<File | null>(null)
  const [done, setDone] = useState<SoftwareImport | null>(null)
  const submit = async (pasted: string): Promise<void> => {
    const input = file === null ? { content: pasted } : { content: await file.text(), filename: file.name }
    setDone(await monitors.importSoftware(monitor.id, input))
    await changed(findingsKey(monitor.id))
  }
  return (
    <Dialog title={t`Import a list of software`} onClose={onClose}>
      {done === null ? (
        <Form
          submit={t`Import`}
          onSubmit={(value) => submit(value('content'))}
          beside={
            <CloseButton>
              <Trans>Cancel</Trans>
            </CloseButton>
          }
        >
          <label className="flex flex-col gap-1 text-sm font-medium">
            <Trans>A lockfile or manifest</Trans>
            <input
              type="file"
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
              className={fileClass}
            />
          </label>
          {file === null && (
            <AreaField
              name="content"
              label={t`Or a list`}
              rows={6}
              hint={t`One name and version per line, such as nginx 1.25.3.`}
            />
          )}
        </Form>
      ) : (
        <Done done={done} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Done({ done, onClose }: { done: SoftwareImport; onClose: () => void }): ReactNode {
  const { imported, unrecognized } = done
  const unknown = listed(unrecognized)
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="good">
        <Trans>{imported} imported.</Trans>
      </Notice>
      {unrecognized.length > 0 && (
        <p className="text-sm">
          <Trans>Not known: {unknown}</Trans>
        </p>
      )}
      <Button look="primary" onClick={onClose}>
        <Trans>Done</Trans>
      </Button>
    </div>
  )
}
