import { i18n } from '@lingui/core'
import type { ReactNode } from 'react'
import { numberText } from '../../parts/language.ts'
import { StateShape, stateWords } from '../../parts/status.tsx'
import type { Line } from './monitors-view.ts'

/** Above the monitors of a group: what it is called, how many there are, and how many of them are not well. */
export function LineTitle({ line }: { line: Exclude<Line, { row: unknown }> }): ReactNode {
  return (
    <>
      {line.title} <span className="font-normal text-muted">{numberText(line.count)}</span>
      {line.unwell.map(({ state, count }) => (
        <span
          key={state}
          className={`ml-3 inline-flex items-center gap-1.5 text-sm font-medium ${state === 'down' ? 'text-bad' : 'text-warn'}`}
        >
          <StateShape of={state} />
          {numberText(count)} {i18n._(stateWords[state]).toLowerCase()}
        </span>
      ))}
    </>
  )
}
