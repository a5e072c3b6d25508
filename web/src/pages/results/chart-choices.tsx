import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ResponseHours } from '../../api/monitors.ts'
import type { View } from './chart-leads.ts'
import { type ChartRange, isChosen } from './chart-range.ts'
import { Choice } from '../monitor/choice.tsx'

type ChoicesProps = {
  range: ChartRange
  offered: readonly ResponseHours[]
  onRange: (range: ResponseHours | 'custom') => void
  view: View
  views: readonly View[]
  onView: (view: View) => void
}

/** Which time a chart shows, and what of it. */
export function ChartChoices({ range, offered, onRange, view, views, onView }: ChoicesProps): ReactNode {
  const labels = {
    '1': t`1 hour`,
    '24': t`24 hours`,
    '168': t`7 days`,
    '720': t`30 days`,
    '2160': t`90 days`,
    '8760': t`1 year`,
    custom: t({ message: 'Custom', context: 'range of time' }),
  }
  const viewLabels = { time: t`Response time`, locations: t`By location`, phases: t`Phases` }
  const present = isChosen(range) ? 'custom' : range
  // The one of an address that somebody else had kept is there, too.
  const ranges = isChosen(range) || offered.includes(range) ? offered : [...offered, range]
  return (
    <div className="flex flex-wrap gap-2 *:flex-wrap">
      <Choice
        label={t`Range`}
        options={[...ranges, 'custom' as const].map((value) => ({ value, label: labels[value] }))}
        value={present}
        onChange={onRange}
      />
      <Choice
        label={t`Shown`}
        options={views.map((value) => ({ value, label: viewLabels[value] }))}
        value={view}
        onChange={onView}
      />
    </div>
  )
}
