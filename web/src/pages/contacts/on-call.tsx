import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { OnCallNowRecord, OnCallScheduleRecord } from '../../api/on-call.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DeleteDialog, Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { Empty } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, Section, actionsClass } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { policiesKey } from '../../session/use-escalation.ts'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { OnCallCalendar } from './on-call-calendar.tsx'
import { ScheduleDialog } from './on-call-form.tsx'
import { ImportSchedules } from './on-call-import.tsx'
import { AddOverride } from './on-call-override.tsx'
import { OnCallOverrides } from './on-call-overrides.tsx'
import { useContacts } from './use-contacts.ts'
import { onCallKey, schedulesKey, useOnCallApi } from './use-on-call.ts'

type Asked =
  | { what: 'add' | 'import' }
  | { what: 'change' | 'delete' | 'override' | 'replace'; schedule: OnCallScheduleRecord }
  | { what: 'calendar'; url: string }

const readAgainMs = 15_000

export function OnCallPage(): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  const mayWrite = useMayWrite()
  const names = new Map(useContacts().map(({ contact }) => [contact.id, contact.name]))
  const { data: schedules } = useRead(schedulesKey, { read: () => api.list(), everyMs: readAgainMs })
  const { data: standing } = useRead(onCallKey, { read: () => api.listNow(), everyMs: readAgainMs })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const showCalendar = async ({ id }: OnCallScheduleRecord): Promise<void> => {
    const { url } = await api.replaceCalendar(id)
    setAsked({ what: 'calendar', url })
    await changed(schedulesKey)
  }
  return (
    <>
      <PageHead
        title={t`On call`}
        lead={t`Contacts that take turns: who is on call now, and in the next two weeks.`}
        action={<HeadActions mayAdd={mayWrite && names.size > 0} onAsk={(what) => setAsked({ what })} />}
      />
      {schedules.length === 0 && (
        <Section title={t`Schedules`}>
          <Empty>
            <Trans>None yet. In a schedule, contacts take turns by the hour, day or week.</Trans>
          </Empty>
        </Section>
      )}
      {schedules.map((schedule) => (
        <Section
          key={schedule.id}
          title={schedule.name}
          lead={<Standing of={standing.find(({ schedule_id: id }) => id === schedule.id)} names={names} />}
          action={
            mayWrite && <Actions schedule={schedule} onAsk={setAsked} onCalendar={() => void showCalendar(schedule)} />
          }
        >
          <OnCallCalendar schedule={schedule} names={names} />
          <OnCallOverrides schedule={schedule} names={names} />
        </Section>
      ))}
      {asked !== null && <Asking asked={asked} names={names} onReplace={showCalendar} onClose={close} />}
    </>
  )
}

function HeadActions({ mayAdd, onAsk }: { mayAdd: boolean; onAsk: (what: 'add' | 'import') => void }): ReactNode {
  return (
    <div className={actionsClass}>
      <ButtonLink to="/contacts">
        <Trans>All contacts</Trans>
      </ButtonLink>
      {mayAdd && (
        <>
          <Button onClick={() => onAsk('import')}>
            <Trans>Import</Trans>
          </Button>
          <Button look="primary" onClick={() => onAsk('add')}>
            <Trans>Add a schedule</Trans>
          </Button>
        </>
      )}
    </div>
  )
}

type AskingProps = {
  asked: Asked
  names: ReadonlyMap<string, string>
  onReplace: (schedule: OnCallScheduleRecord) => Promise<void>
  onClose: () => void
}

function Asking({ asked, names, onReplace, onClose }: AskingProps): ReactNode {
  switch (asked.what) {
    case 'add':
      return <ScheduleDialog of={null} names={names} onClose={onClose} />
    case 'import':
      return <ImportSchedules names={names} onClose={onClose} />
    case 'change':
      return <ScheduleDialog of={asked.schedule} names={names} onClose={onClose} />
    case 'delete':
      return <Delete schedule={asked.schedule} onClose={onClose} />
    case 'override':
      return <AddOverride schedule={asked.schedule} names={names} onClose={onClose} />
    case 'replace':
      return <Replace onSubmit={() => onReplace(asked.schedule)} onClose={onClose} />
    case 'calendar':
      return <CalendarAddress url={asked.url} onClose={onClose} />
  }
}

type ActionsProps = {
  schedule: OnCallScheduleRecord
  onAsk: (asked: Asked) => void
  /** The first address is made at once; another one ends it, so that is asked. */
  onCalendar: () => void
}

function Actions({ schedule, onAsk, onCalendar }: ActionsProps): ReactNode {
  const { name, has_calendar: hasCalendar } = schedule
  return (
    <div className={actionsClass}>
      <Button aria-label={t`Override ${name}`} onClick={() => onAsk({ what: 'override', schedule })}>
        <Trans>Override</Trans>
      </Button>
      <Button
        aria-label={hasCalendar ? t`New calendar address of ${name}` : t`Calendar address of ${name}`}
        onClick={() => (hasCalendar ? onAsk({ what: 'replace', schedule }) : onCalendar())}
      >
        {hasCalendar ? t`New calendar address` : t`Calendar address`}
      </Button>
      <Button aria-label={t`Change ${name}`} onClick={() => onAsk({ what: 'change', schedule })}>
        <Trans>Change</Trans>
      </Button>
      <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onAsk({ what: 'delete', schedule })}>
        <Trans>Delete</Trans>
      </Button>
    </div>
  )
}

function Delete({
  schedule: { id, name },
  onClose,
}: {
  schedule: OnCallScheduleRecord
  onClose: () => void
}): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  return (
    <DeleteDialog
      title={t`Delete ${name}?`}
      onSubmit={async () => {
        await api.remove(id)
        await changed(schedulesKey, onCallKey, policiesKey)
        onClose()
      }}
      onClose={onClose}
    >
      <Trans>
        Its overrides and its calendar are deleted with it. Escalation policies no longer alert who is on call in it.
      </Trans>
    </DeleteDialog>
  )
}

function Replace({ onSubmit, onClose }: { onSubmit: () => Promise<void>; onClose: () => void }): ReactNode {
  return (
    <FormDialog title={t`Replace the address?`} submit={t`Replace it`} onSubmit={onSubmit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Calendar apps that use the current address will no longer find anything there.</Trans>
      </p>
    </FormDialog>
  )
}

type StandingProps = { of: OnCallNowRecord | undefined; names: ReadonlyMap<string, string> }

function Standing({ of, names }: StandingProps): ReactNode {
  const [id] = of?.contact_ids ?? []
  const until = of?.until ?? null
  if (id === undefined)
    return (
      <span className="text-bad">
        {until === null ? (
          <Trans>No one is on call.</Trans>
        ) : (
          <Trans>
            No one is on call until <Time at={until} />.
          </Trans>
        )}
      </span>
    )
  const name = names.get(id) ?? id
  if (until === null) return <Trans>{name} is on call.</Trans>
  return (
    <Trans>
      {name} is on call until <Time at={until} />.
    </Trans>
  )
}

function CalendarAddress({ url, onClose }: { url: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={t`The address of the calendar`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">
          <Trans>
            It is shown only once, and the previous address no longer works. Anyone who has it can read the schedule.
          </Trans>
        </Notice>
        <CopyText label={t`Address`} text={url} />
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
