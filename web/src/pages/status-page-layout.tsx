import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useField } from '../parts/form.tsx'
import { Empty } from '../parts/list.tsx'
import { MonitorPicker, useAllMonitors } from '../parts/monitor-picker.tsx'
import { Fieldset, inputClass } from '../parts/schema/fieldset.tsx'
import {
  type Direction,
  type Group,
  type Placed,
  changeGroup,
  moveGroup,
  moveMonitor,
  placeOf,
  removeMonitor,
  withGroup,
} from './status-page-groups.ts'

type LayoutProps = { groups: readonly Group[]; onChange: (groups: Group[]) => void }

/** What a button of a row does; which one keeps the focus once its row has moved. */
type Move = { row: string; direction: Direction }

/** Groups and their monitors, in the order of the page: moved by buttons, or by Alt with ↑ and ↓ from any of its fields. */
export function PageLayout({ groups, onChange }: LayoutProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const [moved, setMoved] = useState<Move | null>(null)
  const [said, setSaid] = useState('')
  const [addTo, setAddTo] = useState<number | null>(null)
  useFocusOn(frame, moved)
  const move = (next: Group[], { row, direction }: Move, text: string): void => {
    onChange(next)
    setMoved({ row, direction })
    setSaid(text)
  }
  return (
    <Fieldset
      name="sections"
      legend="Groups"
      hint="Move with the arrows, or with Alt and ↑ or ↓. A monitor at the end of its group moves into the next one."
    >
      <div ref={frame} className="flex flex-col gap-4">
        {groups.map((group, index) => (
          <GroupBox
            key={group.key}
            group={group}
            index={index}
            groups={groups}
            onChange={onChange}
            onMove={move}
            onAdd={() => setAddTo(group.key)}
          />
        ))}
        {groups.length === 0 && <Empty>Nothing stands on the page yet.</Empty>}
        <div>
          <Button onClick={() => onChange(withGroup(groups))}>Add a group</Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      {addTo !== null && (
        <AddMonitors key={addTo} group={addTo} groups={groups} onChange={onChange} onClose={() => setAddTo(null)} />
      )}
    </Fieldset>
  )
}

/** The button that was pressed moved with its row, which browsers take for gone. */
function useFocusOn(frame: { current: HTMLElement | null }, moved: Move | null): void {
  useLayoutEffect(() => {
    if (moved === null) return
    const row = frame.current?.querySelector(`[data-row="${moved.row}"]`)
    row?.querySelector<HTMLElement>(`[data-move="${moved.direction}"]`)?.focus()
  }, [frame, moved])
}

type BoxProps = {
  group: Group
  index: number
  groups: readonly Group[]
  onChange: (groups: Group[]) => void
  onMove: (groups: Group[], move: Move, text: string) => void
  onAdd: () => void
}

function GroupBox({ group, index, groups, onChange, onMove, onAdd }: BoxProps): ReactNode {
  const title = group.name === '' ? `Group ${index + 1}` : group.name
  const row = `group-${group.key}`
  const move = (direction: Direction): void => {
    const next = moveGroup(groups, group.key, direction)
    const place = next.findIndex(({ key }) => key === group.key)
    onMove(next, { row, direction }, `${title} is ${place + 1} of ${next.length} groups.`)
  }
  const moveOne = (placed: Placed, direction: Direction): void => {
    const next = moveMonitor(groups, placed.monitorId, direction)
    const place = placeOf(next, placed.monitorId)
    if (place === null) return
    const into = next[place.group]?.name ?? ''
    const where = into === '' ? `group ${place.group + 1}` : into
    const text = `${placed.monitorName} is ${place.index + 1} of ${place.of} in ${where}.`
    onMove(next, { row: placed.monitorId, direction }, text)
  }
  return (
    <div role="group" aria-label={title} className="rounded-xl border border-line p-4">
      <div data-row={row} className="flex flex-wrap items-end gap-2">
        <GroupName name={`sections.${index}.name`} {...{ group, groups, onChange }} onMove={move} />
        <Arrows what={title} isFirst={index === 0} isLast={index === groups.length - 1} onMove={move} />
        <Button
          look="quiet"
          aria-label={`Remove ${title}`}
          onClick={() => onChange(groups.filter(({ key }) => key !== group.key))}
        >
          Remove
        </Button>
      </div>
      <ol className="mt-3 divide-y divide-line">
        {group.monitors.map((placed, at) => (
          <MonitorRow
            key={placed.monitorId}
            placed={placed}
            name={`sections.${index}.monitors.${at}`}
            isFirst={index === 0 && at === 0}
            isLast={index === groups.length - 1 && at === group.monitors.length - 1}
            onMove={(direction) => moveOne(placed, direction)}
            onRemove={() => onChange(removeMonitor(groups, placed.monitorId))}
            onRename={(shownName) =>
              onChange(
                changeGroup(groups, group.key, {
                  monitors: group.monitors.map((each) => (each === placed ? { ...each, shownName } : each)),
                }),
              )
            }
          />
        ))}
      </ol>
      <div className="mt-3">
        <Button aria-label={`Add monitors to ${title}`} onClick={onAdd}>
          Add monitors
        </Button>
      </div>
    </div>
  )
}

type NameProps = LayoutProps & { name: string; group: Group; onMove: (direction: Direction) => void }

function GroupName({ name, group, groups, onChange, onMove }: NameProps): ReactNode {
  const { id, problem } = useField(name)
  return (
    <div className="flex min-w-40 flex-1 flex-col gap-1 max-sm:basis-full">
      <label htmlFor={id} className="text-sm text-muted">
        Heading, if any
      </label>
      <input
        id={id}
        name={name}
        value={group.name}
        maxLength={160}
        autoComplete="off"
        onChange={(event) => onChange(changeGroup(groups, group.key, { name: event.currentTarget.value }))}
        onKeyDown={(event) => onArrows(event, onMove)}
        className={inputClass}
      />
      {problem !== null && <p className="text-sm text-bad">{problem}</p>}
    </div>
  )
}

type RowProps = {
  placed: Placed
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (direction: Direction) => void
  onRemove: () => void
  onRename: (shownName: string) => void
}

function MonitorRow({ placed, name, isFirst, isLast, onMove, onRemove, onRename }: RowProps): ReactNode {
  const { id, problem } = useField(`${name}.monitor_id`)
  const renamed = useField(`${name}.name`)
  const told = problem ?? renamed.problem
  const { monitorId, monitorName, shownName } = placed
  return (
    <li data-row={monitorId} className="flex flex-wrap items-center gap-2 py-2">
      <span className="min-w-32 flex-1 text-sm max-sm:basis-full font-medium wrap-anywhere">{monitorName}</span>
      <input
        aria-label={`Name of ${monitorName} on the page`}
        name={`${name}.name`}
        value={shownName}
        maxLength={160}
        placeholder="Another name"
        autoComplete="off"
        onChange={(event) => onRename(event.currentTarget.value)}
        onKeyDown={(event) => onArrows(event, onMove)}
        className={`${inputClass} sm:max-w-52`}
      />
      <Arrows what={monitorName} isFirst={isFirst} isLast={isLast} onMove={onMove} />
      <Button look="quiet" aria-label={`Remove ${monitorName} from the page`} onClick={onRemove}>
        Remove
      </Button>
      {told !== null && (
        <p id={`${id}-problem`} className="w-full text-sm text-bad">
          {told}
        </p>
      )}
    </li>
  )
}

type ArrowsProps = { what: string; isFirst: boolean; isLast: boolean; onMove: (direction: Direction) => void }

/** They stay in their places at the ends, so that whoever presses one again and again does not lose it. */
function Arrows({ what, isFirst, isLast, onMove }: ArrowsProps): ReactNode {
  const onKeyDown = (event: KeyEvent): void => onArrows(event, onMove)
  const arrow = (direction: Direction, isAtEnd: boolean): ReactNode => (
    <Button
      data-move={direction}
      aria-label={`Move ${what} ${direction}`}
      aria-disabled={isAtEnd}
      onClick={() => onMove(direction)}
      onKeyDown={onKeyDown}
    >
      {direction === 'up' ? '↑' : '↓'}
    </Button>
  )
  return (
    <span className="flex gap-1">
      {arrow('up', isFirst)}
      {arrow('down', isLast)}
    </span>
  )
}

type KeyEvent = { altKey: boolean; key: string; preventDefault: () => void }

function onArrows(event: KeyEvent, move: (direction: Direction) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  event.preventDefault()
  move(event.key === 'ArrowUp' ? 'up' : 'down')
}

type AddProps = LayoutProps & { group: number; onClose: () => void }

function AddMonitors({ group, groups, onChange, onClose }: AddProps): ReactNode {
  const monitors = useAllMonitors()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const placed = groups.flatMap((each) => each.monitors.map(({ monitorId }) => monitorId))
  const add = (): void => {
    const before = groups.find(({ key }) => key === group)?.monitors ?? []
    const added = monitors
      .filter(({ id }) => chosen.has(id))
      .map(({ id, name }) => ({ monitorId: id, monitorName: name, shownName: '' }))
    onChange(changeGroup(groups, group, { monitors: [...before, ...added] }))
    onClose()
  }
  return (
    <Dialog title="Add monitors" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <MonitorPicker
          label="Monitors"
          monitors={monitors}
          chosen={chosen}
          onChange={setChosen}
          taken={new Map(placed.map((id) => [id, 'on the page already']))}
        />
        <div className="flex gap-2">
          <Button look="primary" onClick={add}>
            Add
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
