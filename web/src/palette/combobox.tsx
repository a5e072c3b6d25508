import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { StateShape, stateWords } from '../parts/status.tsx'
import type { Entry, Group, GroupName } from './find.ts'

type ComboboxProps = {
  groups: readonly Group[]
  /** Whether more may be found in a moment. */
  isReading: boolean
  typed: string
  onTyped: (typed: string) => void
  /** `isElsewhere`: in a tab of its own. */
  onChoose: (entry: Entry, isElsewhere: boolean) => void
}

const groupTitles: Readonly<Record<GroupName, MessageDescriptor>> = {
  recent: msg`Recent`,
  actions: msg`Actions`,
  pages: msg`Pages`,
  settings: msg`Settings`,
  monitors: msg`Monitors`,
  incidents: msg`Incidents`,
  others: msg`Status pages and contacts`,
}

const leap = 8

/** A field whose list is always open: the focus stays in the field, which says which option is the active one. */
export function Combobox({ groups, isReading, typed, onTyped, onChoose }: ComboboxProps): ReactNode {
  const listId = useId()
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const entries = groups.flatMap((group) => group.entries)
  const place = Math.max(
    0,
    entries.findIndex(({ key }) => key === activeKey),
  )
  const active = entries[place]
  const moveTo = (next: number): void => setActiveKey(entries[next]?.key ?? null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = targetOf(event.key, place, entries.length)
    if (next !== null) moveTo(next)
    else if (event.key === 'Enter' && active !== undefined) onChoose(active, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 text-muted">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={t`Find a monitor, a page or an action`}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : optionId(listId, active)}
          placeholder={t`Find a monitor, a page or an action`}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setActiveKey(null)
            onTyped(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          className="min-h-13 min-w-0 grow bg-transparent text-base text-text outline-none placeholder:text-muted"
        />
      </div>
      <List id={listId} groups={groups} active={active} onPoint={setActiveKey} onChoose={onChoose} />
      {entries.length === 0 && (
        <p className="px-4 pb-5 text-sm text-muted">
          {isReading ? t`Still loading the monitors …` : t`Nothing has that name.`}
        </p>
      )}
      <p role="status" className="sr-only">
        {plural(entries.length, { one: '# found', other: '# found' })}
      </p>
      <Hints />
    </>
  )
}

type ListProps = Pick<ComboboxProps, 'groups' | 'onChoose'> & {
  id: string
  active: Entry | undefined
  onPoint: (key: string) => void
}

function List({ id, groups, active, onPoint, onChoose }: ListProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label={t`Found`} className="min-h-0 grow overflow-y-auto p-2">
      {groups.map(({ name, entries }) => (
        <div key={name} role="group" aria-label={i18n._(groupTitles[name])}>
          <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {i18n._(groupTitles[name])}
          </p>
          {entries.map((entry) => (
            <Option
              key={entry.key}
              id={optionId(id, entry)}
              entry={entry}
              isActive={entry === active}
              onPoint={() => onPoint(entry.key)}
              onChoose={(isElsewhere) => onChoose(entry, isElsewhere)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function optionId(listId: string, { key }: Entry): string {
  return `${listId}-${key.replaceAll(/[^\w-]/g, '-')}`
}

/** Up and down go round. */
function targetOf(key: string, place: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count
    case 'ArrowUp':
      return (place + count - 1) % count
    case 'PageDown':
      return Math.min(count - 1, place + leap)
    case 'PageUp':
      return Math.max(0, place - leap)
    default:
      return null
  }
}

type OptionProps = {
  id: string
  entry: Entry
  isActive: boolean
  onPoint: () => void
  onChoose: (isElsewhere: boolean) => void
}

function Option({ id, entry, isActive, onPoint, onChoose }: OptionProps): ReactNode {
  const { title, detail, icon, state } = entry
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys are the field's, which keeps the focus
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      // Not as soon as it lies below a pointer that rests: the list moves, and the keys decide.
      onPointerMove={isActive ? undefined : onPoint}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-2.5 py-2 text-sm aria-selected:bg-accent-soft aria-selected:text-accent-text"
    >
      <span className="flex size-4 shrink-0 items-center justify-center text-muted">
        {state === undefined ? <Icon name={icon} /> : <StateShape of={state} />}
      </span>
      <span className="max-w-full shrink-0 truncate max-sm:shrink">{title}</span>
      {state !== undefined && <span className="sr-only">{i18n._(stateWords[state])}</span>}
      {detail !== undefined && <span className="min-w-0 grow truncate text-right text-muted">{detail}</span>}
    </div>
  )
}

function Hints(): ReactNode {
  const hints = [
    { key: '↑ ↓', does: t({ message: 'choose', context: 'what keys do' }) },
    { key: t`Enter`, does: t({ message: 'go or do', context: 'what keys do' }) },
    { key: t`Esc`, does: t({ message: 'close', context: 'what keys do' }) },
  ]
  return (
    <p aria-hidden="true" className="flex gap-5 border-t border-line px-4 py-2 text-xs text-muted max-md:hidden">
      {hints.map(({ key, does }) => (
        <span key={key}>
          <kbd className="mr-1 rounded border border-line px-1 font-sans">{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}
