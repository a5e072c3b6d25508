import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { TextField } from './field.tsx'

/** Tags in one line, as people type them. */
export function TagsField({ held, hint }: { held: readonly string[]; hint?: string }): ReactNode {
  return (
    <TextField
      name="tags"
      label={t`Tags`}
      hint={hint ?? t`Separated by commas, such as production, Team Blue.`}
      defaultValue={held.join(', ')}
      autoComplete="off"
    />
  )
}

export function readTags(data: FormData): string[] {
  return data
    .getAll('tags')
    .flatMap((line) => (typeof line === 'string' ? line.split(',') : []))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
