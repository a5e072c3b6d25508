import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { TextField } from './field.tsx'
import { Badge } from '../list.tsx'

type FieldProps = { held: readonly string[]; hint?: string; name?: string; label?: string }

/** Tags in one line, as people type them. */
export function TagsField({ held, hint, name, label }: FieldProps): ReactNode {
  return (
    <TextField
      name={name ?? 'tags'}
      label={label ?? t`Tags`}
      hint={hint ?? t`Separated by commas, such as production, Team Blue.`}
      defaultValue={held.join(', ')}
      autoComplete="off"
    />
  )
}

/** Beside the name of what has them. */
export function TagBadges({ tags }: { tags: readonly string[] }): ReactNode {
  return tags.map((tag) => <Badge key={tag}>{tag}</Badge>)
}

export function readTags(data: FormData, name = 'tags'): string[] {
  return data
    .getAll(name)
    .flatMap((line) => (typeof line === 'string' ? line.split(',') : []))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
