import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord, Payload } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { ownZone } from '../../parts/form/zone-field.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { monitorKey, useMonitors } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { durationText, intervalText } from './details.ts'
import { scheduleText } from './schedule-words.ts'

/** A rhythm that the calls have and the monitor does not expect yet. */
export function RhythmProposed({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { id, name, interval_seconds: interval } = monitor
  const monitors = useMonitors()
  const changed = useChanged()
  const [isAsked, setAsked] = useState(false)
  const { data } = useRead(`rhythm of ${id}`, { read: () => monitors.readRhythmProposal(id, ownZone()) })
  if (data === null) return null
  const { interval_seconds: seconds, schedule, time_zone: zone, heartbeat_grace_seconds: grace } = data
  // About as often as it is expected anyway.
  if (seconds !== null && seconds * 1.5 > interval) return null
  const rhythm = scheduleText({ schedule, time_zone: zone }) ?? intervalText(seconds ?? interval)
  const allowed = durationText(grace)
  const accept = async (): Promise<void> => {
    await monitors.change(id, {
      name,
      heartbeat_grace_seconds: grace,
      ...rhythmOf(monitor, { seconds, schedule, zone }),
    })
    await changed(monitorKey(id))
    setAsked(false)
  }
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      <p>
        <Trans>Its calls come {rhythm}.</Trans>
      </p>
      <Button onClick={() => setAsked(true)}>
        <Trans>Expect them then</Trans>
      </Button>
      {isAsked && (
        <FormDialog
          title={t`Expect calls ${rhythm}?`}
          submit={t`Save`}
          onSubmit={accept}
          onClose={() => setAsked(false)}
        >
          <p className="text-muted">
            <Trans>A call may be late by {allowed}.</Trans>
          </p>
        </FormDialog>
      )}
    </div>
  )
}

type Rhythm = { seconds: number | null; schedule: string | null; zone: string | null }

function rhythmOf({ check_options: options }: MonitorRecord, { seconds, schedule, zone }: Rhythm): Payload {
  if (seconds !== null) return { interval_seconds: seconds }
  return { check_options: { ...options, schedule, time_zone: zone } }
}
