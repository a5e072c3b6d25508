import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Finding } from '../../api/monitors.ts'

type Rating = NonNullable<Finding['severity']>

const words: Readonly<Record<Rating, MessageDescriptor>> = {
  critical: msg({ message: 'critical', context: 'severity' }),
  high: msg({ message: 'high', context: 'severity' }),
  medium: msg({ message: 'medium', context: 'severity' }),
  low: msg({ message: 'low', context: 'severity' }),
}

const classes: Readonly<Record<Rating, string>> = {
  critical: 'bg-bad-soft text-bad',
  high: 'bg-bad-soft text-bad',
  medium: 'bg-warn-soft text-warn',
  low: 'bg-sunken text-muted',
}

/** Before the name of what is rated; nothing where it has no rating. */
export function Severity({ of: rating, score = null }: { of: Rating | null; score?: number | null }): ReactNode {
  if (rating === null) return null
  return (
    <span className={`mr-2 rounded-md px-1.5 py-0.5 text-xs font-medium ${classes[rating]}`}>
      {i18n._(words[rating])}
      {score !== null && ` ${score}`}
    </span>
  )
}
