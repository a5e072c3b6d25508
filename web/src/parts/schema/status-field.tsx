import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { TextField } from '../form/field.tsx'
import { statusFieldOf, statusText } from './status-codes.ts'

type StatusProps = {
  /** Of either end, such as `expected_status_min`. */
  name: string
  min: unknown
  max: unknown
  /** What counts where nothing is given. */
  placeholder: string
}

/** Which status codes count as right: one field for both ends of the range. */
export function StatusField({ name, min, max, placeholder }: StatusProps): ReactNode {
  return (
    <TextField
      name={statusFieldOf(name)}
      label={t`Accepted status codes`}
      hint={t`One code or one range, such as 200, 2xx or 200-399.`}
      placeholder={placeholder}
      defaultValue={textOf(min, max)}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function textOf(min: unknown, max: unknown): string {
  return statusText({
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  })
}
