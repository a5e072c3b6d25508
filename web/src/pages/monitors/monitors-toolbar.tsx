import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { isSingleKey } from '../../parts/keys.ts'
import { numberText } from '../../parts/language.ts'
import { stateWords } from '../../parts/status.tsx'
import { kindTitle } from '../monitor/kinds.ts'
import { type ChoiceField, choiceFields } from './monitors-columns.ts'
import type { MonitorList, MonitorRow } from './monitors-rows.ts'
import { MonitorsViews } from './monitors-views.tsx'
import { type Grouping, type Shown, type Sort, type View, groupings, layouts, sorts, states } from './monitors-view.ts'

type ToolbarProps = { list: MonitorList; shown: Shown; view: View; onView: (view: View) => void }

/** Which monitors are shown, and in which order. */
export function MonitorsToolbar({ list, shown, view, onView }: ToolbarProps): ReactNode {
  return (
    <div className="mb-4 flex flex-col gap-3">
      <div className="grid grid-cols-3 gap-2 md:flex">
        <Search text={view.q ?? ''} onText={(q) => onView({ ...view, q })} />
        {choiceFields.map((field) => {
          const { label, all, titleOf } = choiceWords[field]
          const values = [...new Set(list.rows.map((row) => row[field]))].toSorted()
          return (
            <Choice
              key={field}
              label={i18n._(label)}
              value={view[field] ?? ''}
              options={[
                { value: '', label: i18n._(all) },
                ...values.map((value) => ({ value, label: titleOf(value) })),
              ]}
              onChange={(chosen) => onView({ ...view, [field]: chosen })}
            />
          )
        })}
        <Choice
          label={t`Sort by`}
          value={view.sort ?? 'state'}
          options={sorts.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          onChange={(sort: Sort) => onView({ ...view, sort })}
        />
        <Choice
          label={t({ message: 'Group', context: 'what monitors are grouped by' })}
          value={view.group ?? 'none'}
          options={groupings.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          onChange={(group: Grouping) => onView({ ...view, group })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <StateFilter shown={shown} view={view} onView={onView} />
        <div className="flex max-w-full flex-wrap items-center gap-2">
          <MonitorsViews view={view} onView={onView} />
          <LayoutChoice view={view} onView={onView} />
        </div>
      </div>
    </div>
  )
}

type ChoiceWords<Field extends ChoiceField> = {
  label: MessageDescriptor
  all: MessageDescriptor
  titleOf: (value: MonitorRow[Field]) => string
}

const choiceWords: { readonly [Field in ChoiceField]: ChoiceWords<Field> } = {
  kind: { label: msg`Kind`, all: msg`All kinds`, titleOf: kindTitle },
}

const pressed =
  'aria-pressed:border-accent-text aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-text'
const chip = `min-h-7 rounded-full border border-edge/60 px-3 py-0.5 text-sm hover:bg-sunken ${pressed}`

function StateFilter({ shown, view, onView }: Omit<ToolbarProps, 'list'>): ReactNode {
  const all = [...shown.counts.values()].reduce((sum, count) => sum + count, 0)
  const { state: chosen, ...others } = view
  return (
    <div role="group" aria-label={t`State`} className="flex flex-wrap gap-2">
      <button type="button" aria-pressed={chosen === undefined} className={chip} onClick={() => onView(others)}>
        <Trans context="monitors">All</Trans> <Count of={all} />
      </button>
      {states
        .filter((state) => state === chosen || (shown.counts.get(state) ?? 0) > 0)
        .map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={state === chosen}
            className={chip}
            onClick={() => onView(state === chosen ? others : { ...view, state })}
          >
            <span>{i18n._(stateWords[state])}</span> <Count of={shown.counts.get(state) ?? 0} />
          </button>
        ))}
    </div>
  )
}

function LayoutChoice({ view, onView }: Pick<ToolbarProps, 'view' | 'onView'>): ReactNode {
  const { layout: chosen = 'list' } = view
  return (
    <div role="group" aria-label={t`Layout`} className="flex gap-2">
      {layouts.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          className={chip}
          onClick={() => onView({ ...view, layout: value })}
        >
          {i18n._(label)}
        </button>
      ))}
    </div>
  )
}

function Count({ of }: { of: number }): ReactNode {
  return <span className="tabular-nums">{numberText(of)}</span>
}

const box = 'min-h-9 rounded-lg border border-edge bg-surface px-3 py-1.5 text-sm'
/** The address follows when typing rests. */
const restMs = 150

function Search({ text, onText }: { text: string; onText: (text: string) => void }): ReactNode {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  const written = useRef(text)
  const timer = useRef<number | null>(null)
  useSlash(input)
  // Another address, such as of a link to all monitors.
  useEffect(() => {
    if (text === written.current) return
    written.current = text
    setTyped(text)
  }, [text])
  const write = (next: string): void => {
    setTyped(next)
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      written.current = next
      onText(next)
    }, restMs)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') write('')
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('[role="grid"] [data-active] a')?.focus()
  }
  return (
    <input
      ref={input}
      type="search"
      aria-label={t`Search monitors`}
      aria-keyshortcuts="/"
      placeholder={t`Search by name or target ( / )`}
      value={typed}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      className={`${box} col-span-3 min-w-0 grow basis-60 placeholder:text-muted`}
    />
  )
}

/** "/" leads to the search from wherever nothing is typed. */
function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (!isSingleKey(event, '/')) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [input])
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>): ReactNode {
  const choose = (text: string): void => {
    const option = options.find((each) => each.value === text)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      className={`${box} min-w-0 truncate max-md:px-2`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
