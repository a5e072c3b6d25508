import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { CSSProperties, ReactNode } from 'react'
import { type Drawing, isLimitDrawn } from './chart.ts'
import { type Reading, axisText, degradedText, failedText } from './words.ts'

/** What the chart says of the time under the pointer, beside it. `x` in pixels from its left edge. */
export function ReadingBox({ reading, x, width, isDoor }: BoxProps): ReactNode {
  const side: CSSProperties = x < width / 2 ? { left: x + 12 } : { right: width - x + 12 }
  const { when, rows, failed, degraded, bands } = reading
  return (
    <div
      aria-hidden="true"
      style={side}
      className="pointer-events-none absolute top-1 z-10 max-w-64 rounded-lg border border-line bg-surface px-3 py-2 text-xs shadow-lg"
    >
      <p className="font-medium">{when}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {rows.map(({ label, colour, text }) => (
          <li key={label} className="flex items-baseline gap-1.5">
            <Swatch colour={colour} />
            <span className="text-muted">{label}</span>
            <span className="ml-auto pl-3 text-right tabular-nums">{text}</span>
          </li>
        ))}
        {failed > 0 && <li className="text-bad">{failedText(failed)}</li>}
        {degraded > 0 && <li className="text-warn">{degradedText(degraded)}</li>}
        {bands.map(({ title, from }) => (
          <li key={`${title} ${from}`} className="wrap-anywhere">
            {title}
          </li>
        ))}
      </ul>
      {isDoor && (
        <p className="mt-1 text-muted">
          <span className="pointer-coarse:hidden">
            <Trans>Click to open, drag to zoom</Trans>
          </span>
          <span className="pointer-fine:hidden pointer-none:hidden">
            <Trans>Tap to open, hold and drag to zoom</Trans>
          </span>
        </p>
      )}
    </div>
  )
}

type BoxProps = { reading: Reading; x: number; width: number; isDoor: boolean }

/** What the lines and marks mean. */
export function Key({ drawing }: { drawing: Drawing }): ReactNode {
  const { lines, failures, degraded, bands, limitMs, isStacked } = drawing
  const limit = limitMs === null || isStacked ? null : axisText(limitMs)
  const isDrawn = isLimitDrawn(drawing)
  return (
    <ul aria-label={t`Key`} className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {lines.map(({ label, colour }) => (
        <Entry key={label} mark={<Swatch colour={colour} />}>
          {label}
        </Entry>
      ))}
      {failures.some(isSome) && (
        <Entry mark={<span className="h-2.5 w-1 bg-bad" />}>
          <Trans>Failed checks</Trans>
        </Entry>
      )}
      {degraded.some(isSome) && (
        <Entry mark={<span className="size-2 rotate-45 bg-warn" />}>
          <Trans>Degraded checks</Trans>
        </Entry>
      )}
      {limit !== null && (
        <Entry mark={isDrawn ? <span className="w-4 border-t border-dashed border-warn" /> : null}>
          {isDrawn ? t`Degraded from ${limit} on` : t`Degraded from ${limit} on, above the chart`}
        </Entry>
      )}
      {bands.some(({ of }) => of === 'incident') && (
        <Entry mark={<span className="size-2.5 border border-line bg-bad-soft" />}>
          <Trans>Incident</Trans>
        </Entry>
      )}
      {bands.some(({ of }) => of === 'maintenance') && (
        <Entry mark={<span className="size-2.5 border border-edge bg-sunken" />}>
          <Trans>Maintenance</Trans>
        </Entry>
      )}
    </ul>
  )
}

function Entry({ mark, children }: { mark: ReactNode; children: ReactNode }): ReactNode {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className="flex items-center">
        {mark}
      </span>
      {children}
    </li>
  )
}

function Swatch({ colour }: { colour: string }): ReactNode {
  return <span style={{ background: `var(${colour})` }} className="inline-block size-2.5 shrink-0 rounded-sm" />
}

function isSome(count: number): boolean {
  return count > 0
}
