import { i18n } from '@lingui/core'
import type { ReactNode } from 'react'

type MomentProps = { at: string; zone: string; by?: 'minute' | 'day' }

/** As the clocks of the report's zone have it, since paper does not know where its reader is. */
export function Moment({ at, zone, by = 'minute' }: MomentProps): ReactNode {
  const shown =
    by === 'day' ? ({ dateStyle: 'medium' } as const) : ({ dateStyle: 'medium', timeStyle: 'short' } as const)
  const format = new Intl.DateTimeFormat(i18n.locale, { ...shown, timeZone: zone })
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
