import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { weekdayNames } from '../../parts/language.ts'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import {
  type LayerDraft,
  type RestrictionDraft,
  changed,
  mostParticipants,
  mostRestrictions,
  moved,
  nextKey,
} from './on-call-draft.ts'

type Order = { isLast: boolean; onMove: (by: -1 | 1) => void; onRemove: () => void }

type LayerProps = {
  layer: LayerDraft
  index: number
  names: ReadonlyMap<string, string>
  onChange: (change: Partial<LayerDraft>) => void
  order: Order
}

export function LayerFields({ layer, index, names, onChange, order }: LayerProps): ReactNode {
  const number = index + 1
  const path = `layers.${index}`
  return (
    <section aria-label={t`Layer ${number}`} className="mb-2 flex flex-col gap-4 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 grow basis-48">
          <TextField
            name={`${path}.name`}
            label={t`Name of layer ${number} (optional)`}
            autoComplete="off"
            value={layer.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        </div>
        <OrderButtons what={t`layer ${number}`} index={index} order={order} />
      </div>
      <Participants path={path} layer={layer} names={names} onChange={onChange} />
      <Rotation path={path} layer={layer} onChange={onChange} />
      <Restrictions path={path} layer={layer} onChange={onChange} />
    </section>
  )
}

/** `what`: the row, in the middle of a sentence. */
function OrderButtons({ what, index, order }: { what: string; index: number; order: Order }): ReactNode {
  const { isLast, onMove, onRemove } = order
  return (
    <div className="flex gap-1">
      <Button aria-label={t`Move ${what} up`} aria-disabled={index === 0} onClick={() => index > 0 && onMove(-1)}>
        <span aria-hidden="true">↑</span>
      </Button>
      <Button aria-label={t`Move ${what} down`} aria-disabled={isLast} onClick={() => !isLast && onMove(1)}>
        <span aria-hidden="true">↓</span>
      </Button>
      <Button look="quiet" aria-label={t`Remove ${what}`} onClick={onRemove}>
        <Trans>Remove</Trans>
      </Button>
    </div>
  )
}

type PartProps = Pick<LayerProps, 'layer' | 'onChange'> & { path: string }

function Participants({ path, layer, names, onChange }: PartProps & Pick<LayerProps, 'names'>): ReactNode {
  const { participants } = layer
  const [first] = names.keys()
  // The next contact in the list is the likeliest one to add.
  const unused = [...names.keys()].find((id) => participants.every((chosen) => chosen.id !== id)) ?? first
  return (
    <Fieldset
      name={`${path}.participants`}
      legend={t`Participants`}
      hint={participants.length === 0 ? t`Without any, the layer has no one on call.` : t`In the order of their turns.`}
    >
      {participants.map(({ key, id }, index) => (
        <div key={key} className="flex flex-wrap items-start gap-x-2 gap-y-1">
          <div className="min-w-0 grow basis-48">
            <SelectField
              name={`${path}.participants.${index}`}
              label={t`Participant ${{ position: index + 1 }}`}
              defaultValue={id}
              onChange={(chosen) => onChange({ participants: changed(participants, key, { id: chosen }) })}
              options={optionsOf(names, id)}
            />
          </div>
          <div className="sm:pt-6">
            <OrderButtons
              what={t`participant ${{ position: index + 1 }}`}
              index={index}
              order={{
                isLast: index === participants.length - 1,
                onMove: (by) => onChange({ participants: moved(participants, index, by) }),
                onRemove: () => onChange({ participants: participants.toSpliced(index, 1) }),
              }}
            />
          </div>
        </div>
      ))}
      {participants.length < mostParticipants && unused !== undefined && (
        <div>
          <Button
            onClick={() => onChange({ participants: [...participants, { key: nextKey(participants), id: unused }] })}
          >
            <Trans>Add a participant</Trans>
          </Button>
        </div>
      )}
    </Fieldset>
  )
}

/** A chosen contact that the list does not have stays chosen: the service says what is wrong with it. */
function optionsOf(names: ReadonlyMap<string, string>, id: string): { value: string; label: string }[] {
  const options = [...names].map(([value, label]) => ({ value, label }))
  return names.has(id) ? options : [...options, { value: id, label: id }]
}

function Rotation({ path, layer, onChange }: PartProps): ReactNode {
  const units = [
    { value: 'hours', label: t`hours` },
    { value: 'days', label: t`days` },
    { value: 'weeks', label: t`weeks` },
  ]
  const days = weekdayNames().map(({ value, name }) => ({ value: String(value), label: name }))
  const toUnit = (chosen: string): void => {
    if (chosen === 'hours' || chosen === 'days' || chosen === 'weeks') onChange({ unit: chosen })
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <TextField
        name={`${path}.rotation.every`}
        label={t`A turn lasts`}
        inputMode="numeric"
        autoComplete="off"
        value={layer.every}
        onChange={(event) => onChange({ every: event.currentTarget.value })}
      />
      <SelectField
        name={`${path}.rotation.unit`}
        label={t`Hours, days or weeks`}
        defaultValue={layer.unit}
        onChange={toUnit}
        options={units}
      />
      <TextField
        name={`${path}.hand_over`}
        label={t`Hand-over at`}
        type="time"
        value={layer.handOver}
        onChange={(event) => onChange({ handOver: event.currentTarget.value })}
      />
      {layer.unit === 'weeks' && (
        <SelectField
          name={`${path}.weekday`}
          label={t`Weekday of the hand-over`}
          defaultValue={layer.weekday}
          onChange={(weekday) => onChange({ weekday })}
          options={[{ value: '', label: t`Same as the first day` }, ...days]}
        />
      )}
      <TextField
        name={`${path}.start_date`}
        label={t`First day`}
        type="date"
        value={layer.startDate}
        onChange={(event) => onChange({ startDate: event.currentTarget.value })}
      />
    </div>
  )
}

function Restrictions({ path, layer, onChange }: PartProps): ReactNode {
  const { restrictions } = layer
  const add = (): void => {
    const office = { key: nextKey(restrictions), weekdays: [1, 2, 3, 4, 5], starts: '09:00', ends: '17:00' }
    onChange({ restrictions: [...restrictions, office] })
  }
  return (
    <Fieldset
      name={`${path}.restrictions`}
      legend={t`Only at these times`}
      hint={restrictions.length === 0 ? t`Without any, the layer always has someone on call.` : undefined}
    >
      {restrictions.map((restriction, index) => (
        <Restriction
          key={restriction.key}
          path={`${path}.restrictions.${index}`}
          index={index}
          restriction={restriction}
          onChange={(change) => onChange({ restrictions: changed(restrictions, restriction.key, change) })}
          onRemove={() => onChange({ restrictions: restrictions.toSpliced(index, 1) })}
        />
      ))}
      {restrictions.length < mostRestrictions && (
        <div>
          <Button onClick={add}>
            <Trans>Add a time</Trans>
          </Button>
        </div>
      )}
    </Fieldset>
  )
}

type RestrictionProps = {
  path: string
  index: number
  restriction: RestrictionDraft
  onChange: (change: Partial<RestrictionDraft>) => void
  onRemove: () => void
}

function Restriction({ path, index, restriction, onChange, onRemove }: RestrictionProps): ReactNode {
  const { weekdays, starts, ends } = restriction
  const number = index + 1
  const toggle = (day: number): void => {
    const others = weekdays.filter((each) => each !== day)
    onChange({ weekdays: others.length === weekdays.length ? [...weekdays, day].toSorted((a, b) => a - b) : others })
  }
  return (
    <section aria-label={t`Time ${number}`} className="mb-2 flex flex-col gap-3 border-l border-line pl-4">
      <Fieldset name={`${path}.weekdays`} legend={t`Starts on`}>
        <div className="flex flex-wrap gap-x-4">
          {weekdayNames().map(({ value, name }) => (
            <CheckField
              key={value}
              name={`${path}.weekdays`}
              value={String(value)}
              label={name}
              defaultChecked={weekdays.includes(value)}
              onChange={() => toggle(value)}
            />
          ))}
        </div>
      </Fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name={`${path}.starts`}
          label={t`From`}
          type="time"
          value={starts}
          onChange={(event) => onChange({ starts: event.currentTarget.value })}
        />
        <TextField
          name={`${path}.ends`}
          label={t`Until`}
          hint={t`On the next day if it is not after the start.`}
          type="time"
          value={ends}
          onChange={(event) => onChange({ ends: event.currentTarget.value })}
        />
      </div>
      <div>
        <Button look="quiet" aria-label={t`Remove time ${number}`} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </section>
  )
}
