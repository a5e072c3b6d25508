import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { OnCallImportRecord, OnCallSourceName } from '../../api/on-call.ts'
import { CloseButton, Dialog } from '../../parts/overlays/dialog.tsx'
import { AreaField, SelectField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Badge } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Cell, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { fileClass } from '../../parts/schema/fieldset.tsx'
import { useChanged } from '../../session/workspace.tsx'
import { onCallKey, schedulesKey, useOnCallApi } from './use-on-call.ts'

type ImportProps = { names: ReadonlyMap<string, string>; onClose: () => void }
type Export = { source: OnCallSourceName; content: string }
type Checked = Export & { found: OnCallImportRecord }

/** Schedules of an export: first what they would be, then the schedules. */
export function ImportSchedules({ names, onClose }: ImportProps): ReactNode {
  const api = useOnCallApi()
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = async (of: Export): Promise<void> => {
    const found = await api.importSchedules({ ...of, dry_run: true, people: {} })
    setChecked({ ...of, found })
  }
  return (
    <Dialog title={t`Import on-call schedules`} onClose={onClose} isRoomy>
      {checked === null ? <Choose onCheck={check} /> : <Make checked={checked} names={names} onClose={onClose} />}
    </Dialog>
  )
}

const cancel = (
  <CloseButton>
    <Trans>Cancel</Trans>
  </CloseButton>
)

function Choose({ onCheck }: { onCheck: (of: Export) => Promise<void> }): ReactNode {
  const [file, setFile] = useState<File | null>(null)
  const contentOf = async (pasted: string): Promise<string> => (file === null ? pasted : file.text())
  const options = [
    { value: 'opsgenie', label: t`Opsgenie` },
    { value: 'grafana_oncall', label: t`Grafana OnCall` },
    { value: 'pagerduty', label: t`PagerDuty` },
  ] as const
  const sourceOf = (value: string): OnCallSourceName =>
    options.find((option) => option.value === value)?.value ?? 'opsgenie'
  return (
    <Form
      submit={t`Check`}
      beside={cancel}
      isFull
      held={file}
      onSubmit={async (value) =>
        onCheck({ source: sourceOf(value('source')), content: await contentOf(value('content')) })
      }
    >
      <p className="text-muted">
        <Trans>Nothing is created yet. First you see the schedules, and what is left out.</Trans>
      </p>
      <SelectField name="source" label={t`Exported from`} options={options} />
      <label className="flex flex-col gap-1 text-sm font-medium">
        <Trans>File</Trans>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          className={fileClass}
        />
      </label>
      {file === null && (
        <AreaField
          name="content"
          label={t`Or paste its text`}
          rows={6}
          hint={t`JSON, as the API of the other tool returns it.`}
        />
      )}
    </Form>
  )
}

/** The choice that leaves somebody out; it is no id of a contact. */
const leftOut = 'left out'

type MakeProps = { checked: Checked; names: ReadonlyMap<string, string>; onClose: () => void }

function Make({ checked: { source, content, found }, names, onClose }: MakeProps): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (value: (name: string) => string): Promise<void> => {
    const chosen = found.people.map(({ id }): [string, string] => [id, value(`people.${id}`)])
    const people = Object.fromEntries(
      chosen.filter(([, choice]) => choice !== '').map(([id, choice]) => [id, choice === leftOut ? null : choice]),
    )
    const { schedules } = await api.importSchedules({ source, content, dry_run: false, people })
    await changed(schedulesKey, onCallKey)
    const count = schedules.length
    toast(plural({ count }, { one: '# schedule was created.', other: '# schedules were created.' }))
    onClose()
  }
  return (
    <Form submit={t`Create the schedules`} beside={cancel} isFull onSubmit={submit}>
      <Schedules found={found} />
      <People people={found.people} names={names} />
      <Notes notes={found.notes} />
    </Form>
  )
}

function Schedules({ found: { schedules } }: { found: OnCallImportRecord }): ReactNode {
  if (schedules.length === 0)
    return (
      <Notice tone="warn">
        <Trans>The file has no schedule that can be created.</Trans>
      </Notice>
    )
  return (
    <Table
      label={t`Schedules`}
      columns={[
        { title: t`Schedule` },
        { title: t`Time zone` },
        { title: t`Layers`, align: 'right' },
        { title: t`Overrides`, align: 'right' },
      ]}
    >
      {schedules.map(({ schedule, overrides }) => (
        <tr key={schedule.name}>
          <Cell>{schedule.name}</Cell>
          <Cell>{schedule.time_zone}</Cell>
          <Cell align="right">{schedule.layers.length}</Cell>
          <Cell align="right">{overrides.length}</Cell>
        </tr>
      ))}
    </Table>
  )
}

type PeopleProps = { people: OnCallImportRecord['people']; names: ReadonlyMap<string, string> }

function People({ people, names }: PeopleProps): ReactNode {
  if (people.length === 0) return null
  const options = [
    { value: '', label: t`Choose a contact` },
    ...[...names].map(([value, label]) => ({ value, label })),
    { value: leftOut, label: t`Leave out` },
  ]
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">
        <Trans>People and contacts</Trans>
      </legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {people.map(({ id, name, mail, contact_id: contactId }) => (
          <SelectField
            key={id}
            name={`people.${id}`}
            label={name ?? mail ?? id}
            defaultValue={contactId ?? ''}
            options={options}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Notes({ notes }: Pick<OnCallImportRecord, 'notes'>): ReactNode {
  if (notes.length === 0)
    return (
      <Notice tone="good">
        <Trans>Everything in the file works the same in Perigee.</Trans>
      </Notice>
    )
  return (
    <section aria-label={t`What changes`} className="flex flex-col gap-2">
      <h3 className="font-medium">
        <Trans>What changes</Trans>
      </h3>
      <ul className="flex flex-col gap-3 text-sm">
        {notes.map(({ place, effect, message }) => (
          <li key={`${place} ${message}`} className="flex flex-col gap-0.5">
            <span>
              <Badge>{effect === 'lost' ? t`Left out` : t`Changed`}</Badge> {message}
            </span>
            <code className="text-xs wrap-anywhere text-muted">{place}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
