import { t } from '@lingui/core/macro'
import { type ReactNode, useId, useState } from 'react'
import { TextField } from './field.tsx'
import { isZone, offsetText } from '../zone-time.ts'

/** Zones of the IANA database that this browser knows; UTC is not in that list. */
const zones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export function ownZone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone
}

type ZoneFieldProps = { name: string; label: string; value: string; onChange: (zone: string) => void }

/** A time zone, found by typing a part of its name. */
export function ZoneField({ name, label, value, onChange }: ZoneFieldProps): ReactNode {
  const list = useId()
  const [now] = useState(() => new Date())
  const hint = isZone(value) ? offsetHint(value, now) : t`Type a part of a name, such as Berlin or UTC.`
  return (
    <>
      <TextField
        name={name}
        label={label}
        hint={hint}
        value={value}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  )
}

function offsetHint(zone: string, now: Date): string {
  const offset = offsetText(zone, now)
  return t`Now ${offset}.`
}
