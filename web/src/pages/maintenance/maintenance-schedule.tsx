import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { weekdayNames } from '../../parts/language.ts'
import { problemOf } from '../../parts/problem.ts'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { TimeRange } from '../../parts/time.tsx'
import { useMaintenanceApi } from '../../parts/use-maintenance.ts'
import { ZoneField } from '../../parts/form/zone-field.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { type Draft, scheduleOf } from './maintenance-draft.ts'
import { durationText } from './maintenance-words.ts'

type ScheduleProps = { draft: Draft; onChange: (draft: Draft) => void }

const types: readonly { value: Draft['type']; label: MessageDescriptor }[] = [
  { value: 'once', label: msg`Once` },
  { value: 'weekly', label: msg`Every week` },
  { value: 'cron', label: msg`By a cron expression` },
]

/** When it takes place. */
export function ScheduleFields({ draft, onChange }: ScheduleProps): ReactNode {
  const set = (change: Partial<Draft>): void => onChange({ ...draft, ...change })
  return (
    <>
      <Fieldset name="schedule.type" legend={t`How often`}>
        <div className="flex flex-wrap gap-2">
          {types.map(({ value, label }) => (
            <Button key={value} aria-pressed={draft.type === value} onClick={() => set({ type: value })}>
              {i18n._(label)}
            </Button>
          ))}
        </div>
      </Fieldset>
      {draft.type === 'once' && <Once draft={draft} set={set} />}
      {draft.type === 'weekly' && <Weekly draft={draft} set={set} />}
      {draft.type === 'cron' && (
        <TextField
          name="schedule.expression"
          label={t`Cron expression`}
          hint={t`Minute, hour, day, month and weekday: 0 3 * * 7 is every Sunday at 03:00.`}
          value={draft.expression}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ expression: event.currentTarget.value })}
        />
      )}
      {draft.type !== 'once' && (
        <TextField
          name="schedule.duration_minutes"
          label={t`Lasts (minutes)`}
          hint={lastingHint(draft.lasts)}
          inputMode="numeric"
          autoComplete="off"
          value={draft.lasts}
          onChange={(event) => set({ lasts: event.currentTarget.value })}
        />
      )}
      <ZoneField name="time_zone" label={t`Time zone`} value={draft.zone} onChange={(zone) => set({ zone })} />
      <Preview draft={draft} />
    </>
  )
}

function lastingHint(lasts: string): string {
  const minutes = /^\d{1,6}$/.test(lasts.trim()) ? Number(lasts) : 0
  const duration = durationText(minutes)
  return minutes >= 60 ? t`That is ${duration}.` : t`At most a week.`
}

type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void }

function Once({ draft, set }: PartProps): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name="schedule.starts_at"
        label={t`Starts`}
        type="datetime-local"
        value={draft.begins}
        onChange={(event) => set({ begins: event.currentTarget.value })}
      />
      <TextField
        name="schedule.ends_at"
        label={t`Ends`}
        type="datetime-local"
        value={draft.ends}
        onChange={(event) => set({ ends: event.currentTarget.value })}
      />
    </div>
  )
}

function Weekly({ draft, set }: PartProps): ReactNode {
  const toggle = (day: number): void => {
    const weekdays = new Set(draft.weekdays)
    if (!weekdays.delete(day)) weekdays.add(day)
    set({ weekdays })
  }
  return (
    <>
      <Fieldset name="schedule.weekdays" legend={t({ message: 'On', context: 'weekdays' })}>
        <div className="flex flex-wrap gap-1.5">
          {weekdayNames().map(({ value, name }) => (
            <Button key={value} aria-pressed={draft.weekdays.has(value)} onClick={() => toggle(value)}>
              {name}
            </Button>
          ))}
        </div>
      </Fieldset>
      <TextField
        name="schedule.starts"
        label={t`Starts`}
        type="time"
        value={draft.starts}
        onChange={(event) => set({ starts: event.currentTarget.value })}
      />
    </>
  )
}

const typingMs = 500

/** The times as the service reads them, once the person stops typing. */
function Preview({ draft }: { draft: Draft }): ReactNode {
  const api = useMaintenanceApi()
  const { workspace } = useWorkspace()
  const plan = useSettled(JSON.stringify({ schedule: scheduleOf(draft), time_zone: draft.zone }))
  const { data: times, error } = useQuery({
    queryKey: ['workspace', workspace.id, 'maintenance-preview', plan],
    queryFn: () => api.preview(JSON.parse(plan)),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div role="status" className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      {error !== null && <p className="text-muted">{[...refusalsOf(error)].join(' ')}</p>}
      {error === null && times?.length === 0 && (
        <p className="text-muted">{draft.type === 'once' ? onceNote(draft) : t`Not within five weeks.`}</p>
      )}
      {error === null && times !== undefined && times.length > 0 && (
        <>
          <p className="font-medium">{draft.type === 'once' ? t`In your time zone` : t`Next, in your time zone`}</p>
          <ol aria-label={t`Next times`}>
            {times.map(({ starts_at: from, ends_at: to }) => (
              <li key={from}>
                <TimeRange from={from} to={to} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function onceNote({ begins, ends }: Draft): string {
  return begins === '' || ends === ''
    ? t`Enter when it starts and ends.`
    : t`It has ended, or it is more than five weeks away.`
}

function refusalsOf(error: unknown): readonly string[] {
  const { message, fields } = problemOf(error)
  const told = Object.values(fields).flat()
  return told.length === 0 ? [message] : told
}

/** A text that has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
