import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { TextField } from '../form/field.tsx'
import { statusFieldOf, statusText } from './status-codes.ts'

type StatusProps = {
  /** Of one of the members, such as `expected_status_min`. */
  name: string
  min: unknown
  max: unknown
  list: unknown
  /** What counts where nothing is given. */
  placeholder: string
}

/** Which status codes count as right: one field for both ends of the range, or for a list. */
export function StatusField({ name, min, max, list, placeholder }: StatusProps): ReactNode {
  return (
    <TextField
      name={statusFieldOf(name)}
      label={t`Accepted status codes`}
      hint={t`Codes and ranges, such as 200, 2xx or 200-299, 401.`}
      placeholder={placeholder}
      defaultValue={Array.isArray(list) ? list.join(', ') : textOf(min, max)}
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
