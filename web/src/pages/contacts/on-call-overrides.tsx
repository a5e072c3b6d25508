import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { OnCallOverrideRecord, OnCallScheduleRecord } from '../../api/on-call.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { inLanguage } from '../../parts/language.ts'
import { Row, Rows } from '../../parts/list.tsx'
import { useNow } from '../../parts/time.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { onCallKey, overridesKey, shiftsKey, useOnCallApi } from './use-on-call.ts'

const readAgainMs = 60_000
const times = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

type OverridesProps = { schedule: OnCallScheduleRecord; names: ReadonlyMap<string, string> }

/** Overrides that have not ended, the earliest first. */
export function OnCallOverrides({ schedule, names }: OverridesProps): ReactNode {
  const { id, name: scheduleName } = schedule
  const api = useOnCallApi()
  const now = useNow()
  const mayWrite = useMayWrite()
  const { data } = useRead(overridesKey(id), { read: () => api.listOverrides(id), everyMs: readAgainMs })
  const [asked, setAsked] = useState<OnCallOverrideRecord | null>(null)
  const present = data
    .filter(({ ends_at: ends }) => Date.parse(ends) > now)
    .toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))
  if (present.length === 0) return null
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="mb-4 text-sm font-medium">
        <Trans>Overrides</Trans>
      </h3>
      <Rows label={t`Overrides of ${scheduleName}`}>
        {present.map((override) => {
          const { id: overrideId, contact_id: contactId, starts_at: starts, ends_at: ends } = override
          const who = contactId === null ? t`No one` : (names.get(contactId) ?? contactId)
          const when = times().formatRange(new Date(starts), new Date(ends))
          return (
            <Row
              key={overrideId}
              title={who}
              details={when}
              action={
                mayWrite && (
                  <Button
                    look="danger"
                    aria-label={t`Delete the override of ${who}, ${when}`}
                    onClick={() => setAsked(override)}
                  >
                    <Trans>Delete</Trans>
                  </Button>
                )
              }
            />
          )
        })}
      </Rows>
      {asked !== null && <Delete scheduleId={id} override={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

type DeleteProps = { scheduleId: string; override: OnCallOverrideRecord; onClose: () => void }

function Delete({ scheduleId, override, onClose }: DeleteProps): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.removeOverride(scheduleId, override.id)
    await changed(overridesKey(scheduleId), onCallKey, shiftsKey(scheduleId))
    onClose()
  }
  return (
    <DeleteDialog title={t`Delete the override?`} onSubmit={submit} onClose={onClose}>
      <Trans>The layers decide again who is on call.</Trans>
    </DeleteDialog>
  )
}
