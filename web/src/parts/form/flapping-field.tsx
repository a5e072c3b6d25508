import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { MonitorRules } from '#core/contacts/alert-rules.ts'
import { TextField } from './field.tsx'
import { CheckField } from '../schema/fieldset.tsx'
import { numberOf, textOf } from '../schema/read.ts'

const field = 'alert_rules.flapping'
/** Both are refused by name where they are wrong. */
export const flappingFields = [`${field}.changes`, `${field}.within_minutes`] as const
const usual = { changes: 5, within_minutes: 30 }

/** Whether many outages are told as one. */
export function FlappingField({ held }: { held: MonitorRules['flapping'] }): ReactNode {
  const [isOn, setOn] = useState(held !== undefined)
  const { changes, within_minutes: minutes } = held ?? usual
  return (
    <>
      <CheckField
        name={field}
        label={t`Alert once that it is unstable`}
        hint={t`One alert when it keeps going down and coming back. The next one comes when it has stayed up, or down, for as long.`}
        defaultChecked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn && (
        <div className="grid gap-4 border-l border-line pl-4 sm:grid-cols-2">
          <TextField
            name={flappingFields[0]}
            label={t`Beginnings and ends of outages`}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={String(changes)}
          />
          <TextField
            name={flappingFields[1]}
            label={t`Within (minutes)`}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={String(minutes)}
          />
        </div>
      )}
    </>
  )
}

/** What the fields say; nothing where they choose nothing. */
export function readFlapping(sent: FormData): { flapping?: Record<string, unknown> } {
  if (!sent.has(field)) return {}
  const [changes, minutes] = flappingFields.map((name) => numberOf(textOf(sent, name).trim()))
  return { flapping: { changes, within_minutes: minutes } }
}

export function flappingText({ changes, within_minutes: minutes }: NonNullable<MonitorRules['flapping']>): string {
  return t`as one alert from ${changes} changes within ${minutes} min on`
}
