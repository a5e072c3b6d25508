import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Words, described } from '../../parts/form/field.tsx'
import { useField } from '../../parts/form/form.tsx'
import { inputClass } from '../../parts/schema/fieldset.tsx'
import { durationText, intervalText } from '../monitor/details.ts'
import { type FormOf, filledFrom, heldOf, unitName, usualSeconds } from './input.ts'
import { isCalled } from '../monitor/kinds.ts'

const unitChoices = [
  { seconds: 1, label: msg`seconds` },
  { seconds: 60, label: msg`minutes` },
  { seconds: 3600, label: msg`hours` },
] as const

/** In the largest unit that divides it. */
export function Duration({ name, of }: { name: string; of: FormOf }): ReactNode {
  const { kind } = of
  const filled = filledFrom(of)
  const { id, problem } = useField(name)
  const usual = usualSeconds(name, of)
  const held = filled === null ? usual : heldOf(filled, name)
  const seconds = typeof held === 'number' ? held : usual
  const hint = usualText(name, usual)
  const unit = unitChoices.findLast((each) => seconds % each.seconds === 0 && seconds > 0) ?? unitChoices[0]
  const label = durationLabel(name, kind)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={seconds / unit.seconds}
          {...described({ id, hint, problem })}
          className={`${inputClass} max-w-28`}
        />
        <select
          name={unitName(name)}
          aria-label={t`${label}, unit`}
          defaultValue={unit.seconds}
          className={`${inputClass} max-w-36`}
        >
          {unitChoices.map((each) => (
            <option key={each.seconds} value={each.seconds}>
              {i18n._(each.label)}
            </option>
          ))}
        </select>
      </div>
      <Words {...{ id, hint, problem }} />
    </div>
  )
}

/** What counts where nothing is chosen. */
function usualText(name: string, seconds: number): string {
  const usual = name === 'heartbeat_grace_seconds' ? durationText(seconds) : intervalText(seconds)
  return t`If you choose nothing, ${usual}.`
}

function durationLabel(name: string, kind: FormOf['kind']): string {
  if (name === 'heartbeat_grace_seconds') return t`A call may be late by`
  return isCalled(kind) ? t`A call is expected every` : t`Check every`
}
