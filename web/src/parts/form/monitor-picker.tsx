import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react'
import type { MonitorRecord } from '../../api/console.ts'
import { useRead } from '../../session/workspace.tsx'
import { inputClass } from '../schema/fieldset.tsx'

const noneTaken: ReadonlyMap<string, string> = new Map()

/** More are found by typing. */
const mostShown = 100

/** All monitors of the workspace, by name. */
export function useAllMonitors(): readonly MonitorRecord[] {
  const { data } = useRead('monitors', { read: (api) => api.listMonitors() })
  return useMemo(() => data.toSorted((one, other) => one.name.localeCompare(other.name)), [data])
}

type PickerProps = {
  label: string
  monitors: readonly MonitorRecord[]
  /** Their ids. */
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** Ids that cannot be chosen, with the reason. */
  taken?: ReadonlyMap<string, string>
}

/** Monitors to tick, found by name or target. */
export function MonitorPicker({ label, monitors, chosen, onChange, taken = noneTaken }: PickerProps): ReactNode {
  const id = useId()
  const [typed, setTyped] = useState('')
  const found = useFound(monitors, useDeferredValue(typed))
  const [count, others] = [chosen.size, found.length - mostShown]
  const toggle = (monitorId: string): void => {
    const next = new Set(chosen)
    if (!next.delete(monitorId)) next.add(monitorId)
    onChange(next)
  }
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Within a form Enter would send it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        placeholder={t`Search by name or target`}
        autoComplete="off"
        className={inputClass}
      />
      <ul aria-label={label} className="max-h-64 overflow-y-auto rounded-lg border border-line px-3 py-1">
        {found.slice(0, mostShown).map(({ id: monitorId, name, url }) => {
          const reason = taken.get(monitorId)
          return (
            <li key={monitorId}>
              <label className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
                <input
                  type="checkbox"
                  checked={reason !== undefined || chosen.has(monitorId)}
                  disabled={reason !== undefined}
                  onChange={() => toggle(monitorId)}
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                />
                <span className="min-w-0 wrap-anywhere">
                  {name} <span className="text-muted">{reason ?? url}</span>
                </span>
              </label>
            </li>
          )
        })}
        {found.length === 0 && (
          <li className="py-1 text-sm text-muted">
            <Trans>No monitor matches.</Trans>
          </li>
        )}
      </ul>
      <p role="status" className="text-sm text-muted">
        {others > 0 ? t`${count} chosen; type to find ${others} more` : t`${count} chosen`}
      </p>
    </div>
  )
}

function useFound(monitors: readonly MonitorRecord[], typed: string): readonly MonitorRecord[] {
  return useMemo(() => {
    const words = typed
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const textOf = ({ name, url }: MonitorRecord): string => `${name} ${url ?? ''}`.toLowerCase()
    return monitors.filter((monitor) => words.every((word) => textOf(monitor).includes(word)))
  }, [monitors, typed])
}
