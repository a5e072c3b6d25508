import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import type { AuditView } from './audit-filter.ts'
import { actorWords, targetWords } from './audit-words.ts'

type ToolbarProps = { view: AuditView; onView: (view: AuditView) => void }

const box = 'min-h-9 rounded-lg border border-edge bg-surface px-3 py-1.5 text-sm'
/** Looks up a name when typing rests. */
const restMs = 250

/** Which entries are shown. */
export function AuditToolbar({ view, onView }: ToolbarProps): ReactNode {
  const change = (part: keyof AuditView, value: string): void => {
    const { [part]: _, ...others } = view
    onView(value === '' ? others : { ...others, [part]: value })
  }
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 md:flex md:flex-wrap">
      <Name text={view.name ?? ''} onText={(name) => change('name', name)} />
      <Choice
        label={t`Who`}
        all={t`Everyone`}
        words={actorWords}
        value={view.actor}
        onChoose={(actor) => change('actor', actor)}
      />
      <Choice
        label={t`What was changed`}
        all={t`Everything`}
        words={targetWords}
        value={view.target}
        onChoose={(target) => change('target', target)}
      />
      <div className="col-span-2 grid grid-cols-2 gap-x-2 sm:flex sm:gap-x-4">
        <Day label={t`From`} value={view.since} onDay={(since) => change('since', since)} />
        <Day label={t`To`} value={view.until} onDay={(until) => change('until', until)} />
      </div>
    </div>
  )
}

function Name({ text, onText }: { text: string; onText: (text: string) => void }): ReactNode {
  const timer = useRef<number | null>(null)
  return (
    <input
      type="search"
      aria-label={t`Name of a person or a thing`}
      placeholder={t`Search by name`}
      maxLength={100}
      defaultValue={text}
      onChange={(event) => {
        const next = event.currentTarget.value
        if (timer.current !== null) clearTimeout(timer.current)
        timer.current = window.setTimeout(() => onText(next), restMs)
      }}
      className={`${box} col-span-2 min-w-0 grow basis-48 placeholder:text-muted`}
    />
  )
}

type ChoiceProps = {
  label: string
  all: string
  words: Readonly<Record<string, MessageDescriptor>>
  value: string | undefined
  onChoose: (value: string) => void
}

function Choice({ label, all, words, value = '', onChoose }: ChoiceProps): ReactNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
      className={`${box} min-w-0 truncate`}
    >
      <option value="">{all}</option>
      {Object.entries(words).map(([each, word]) => (
        <option key={each} value={each}>
          {i18n._(word)}
        </option>
      ))}
    </select>
  )
}

type DayProps = { label: string; value: string | undefined; onDay: (day: string) => void }

function Day({ label, value = '', onDay }: DayProps): ReactNode {
  return (
    <label className="flex min-w-0 flex-col gap-x-2 gap-y-1 text-sm text-muted sm:flex-row sm:items-center">
      {label}
      <input
        type="date"
        value={value}
        onChange={(event) => onDay(event.currentTarget.value)}
        className={`${box} min-w-0 text-text`}
      />
    </label>
  )
}
