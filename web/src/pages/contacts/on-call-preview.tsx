import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import {
  type OnCallShift,
  type OnCallSchedule,
  gapsOf,
  joinLayers,
  layerShiftsOf,
} from '#core/contacts/on-call-shifts.ts'
import type { OnCallShiftRecord, OnCallShiftsRecord } from '../../api/on-call.ts'
import { Empty } from '../../parts/list.tsx'
import { isZone } from '../../parts/zone-time.ts'
import { type LayerDraft, contentOf, isWhole } from './on-call-draft.ts'
import { TwoWeeks, twoWeeks } from './on-call-calendar.tsx'

type PreviewProps = { layers: readonly LayerDraft[]; zone: string; names: ReadonlyMap<string, string> }

/** What the layers of the form would give: computed here as the service does, without overrides. */
export function OnCallPreview(typed: PreviewProps): ReactNode {
  // Many layers of short turns are drawn after the letter that was typed.
  const { layers, zone, names } = useDeferredValue(typed)
  const schedule = useMemo((): OnCallSchedule | null => {
    if (!isZone(zone) || !layers.every(isWhole)) return null
    return { timeZone: zone, layers: layers.map(contentOf), overrides: [] }
  }, [layers, zone])
  return (
    <section aria-label={t`Preview`} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">
        <Trans>The next two weeks, without overrides</Trans>
      </h3>
      {schedule === null ? (
        <Empty>
          <Trans>It is shown once all fields are filled in.</Trans>
        </Empty>
      ) : (
        <Drawn schedule={schedule} names={names} />
      )}
    </section>
  )
}

function Drawn({ schedule, names }: { schedule: OnCallSchedule; names: ReadonlyMap<string, string> }): ReactNode {
  const [span] = useState(twoWeeks)
  const found = useMemo(() => shiftsIn(schedule, span), [schedule, span])
  return <TwoWeeks label={t`Preview of two weeks`} layers={schedule.layers} found={found} span={span} names={names} />
}

function shiftsIn(schedule: OnCallSchedule, span: { from: Date; until: Date }): OnCallShiftsRecord {
  const layers = layerShiftsOf(schedule, span)
  const shifts = joinLayers(layers, schedule, span)
  const gaps = gapsOf(shifts, span)
  return {
    shifts: shifts.map(recordOf),
    gaps: gaps.map(({ startsAt, endsAt, overrideId }) => ({
      starts_at: startsAt.toISOString(),
      ends_at: endsAt.toISOString(),
      override_id: overrideId,
    })),
    layers: layers.map((each) => each.map(recordOf)),
  }
}

function recordOf({ startsAt, endsAt, contactId, layer, overrideId }: OnCallShift): OnCallShiftRecord {
  return {
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    contact_id: contactId,
    layer,
    override_id: overrideId,
  }
}
