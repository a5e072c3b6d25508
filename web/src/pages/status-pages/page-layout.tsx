import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useField } from '../../parts/form/form.tsx'
import { Empty } from '../../parts/list.tsx'
import { MonitorPicker, useAllMonitors } from '../../parts/form/monitor-picker.tsx'
import { Fieldset, inputClass } from '../../parts/schema/fieldset.tsx'
import { type Dragging, useDragging } from './page-drag.tsx'
import { dropped, groupMark, groupText, placeText, rowMark, titleOf, toldOf } from './page-places.ts'
import { Arrows, type Move, onArrows, useFocusOn } from './page-arrows.tsx'
import {
  type Direction,
  type Group,
  type Placed,
  changeGroup,
  moveGroup,
  moveMonitor,
  placeOf,
  removeMonitor,
  renameMonitor,
  withGroup,
} from './page-groups.ts'

type LayoutProps = { groups: readonly Group[]; onChange: (groups: Group[]) => void }

/** Groups and their monitors, in the order of the page: moved by buttons, or by Alt with ↑ and ↓ from any of its fields. */
export function PageLayout({ groups, onChange }: LayoutProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const [moved, setMoved] = useState<Move | null>(null)
  const [said, setSaid] = useState('')
  const [addTo, setAddTo] = useState<number | null>(null)
  useFocusOn(frame, moved)
  const dragging = useDragging(frame, (dragged, spot) => {
    const next = dropped(groups, dragged, spot)
    onChange(next)
    setSaid(toldOf(next, dragged, groups))
  })
  const move = (next: Group[], { row, direction }: Move, text: string): void => {
    onChange(next)
    setMoved({ row, direction })
    setSaid(text)
  }
  return (
    <Fieldset
      name="sections"
      legend={t`Groups`}
      hint={t`Drag by the dots, or move with the arrows or with Alt and ↑ or ↓. A monitor at the end of its group moves into the next one.`}
    >
      <div ref={frame} className="flex flex-col gap-4">
        {groups.map((group, index) => (
          <GroupBox
            key={group.key}
            group={group}
            index={index}
            groups={groups}
            onChange={onChange}
            dragging={dragging}
            onMove={move}
            onAdd={() => setAddTo(group.key)}
          />
        ))}
        {groups.length === 0 && (
          <Empty>
            <Trans>Nothing is on the page yet.</Trans>
          </Empty>
        )}
        <div>
          <Button onClick={() => onChange(withGroup(groups))}>
            <Trans>Add a group</Trans>
          </Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      {addTo !== null && (
        // The form stays while the monitors are read.
        <Suspense>
          <AddMonitors key={addTo} group={addTo} groups={groups} onChange={onChange} onClose={() => setAddTo(null)} />
        </Suspense>
      )}
    </Fieldset>
  )
}

type BoxProps = {
  group: Group
  index: number
  groups: readonly Group[]
  dragging: Dragging
  onChange: (groups: Group[]) => void
  onMove: (groups: Group[], move: Move, text: string) => void
  onAdd: () => void
}

function GroupBox({ group, index, groups, dragging, onChange, onMove, onAdd }: BoxProps): ReactNode {
  const title = titleOf(group, index)
  const row = `group-${group.key}`
  const move = (direction: Direction): void => {
    const next = moveGroup(groups, group.key, direction)
    onMove(next, { row, direction }, groupText(next, group.key, groups))
  }
  const moveOne = (placed: Placed, direction: Direction): void => {
    const next = moveMonitor(groups, placed.monitorId, direction)
    const place = placeOf(next, placed.monitorId)
    if (place === null) return
    const into = next[place.group]?.name ?? ''
    onMove(next, { row: placed.monitorId, direction }, placeText(placed.monitorName, { ...place, into }))
  }
  return (
    <div
      role="group"
      aria-label={title}
      data-group=""
      className={`rounded-xl border border-line p-4 ${groupMark(dragging, groups, index)}`}
    >
      <div data-row={row} className="flex flex-wrap items-end gap-2">
        {dragging.grip({ group: group.key })}
        <GroupName name={`sections.${index}.name`} {...{ group, groups, onChange }} onMove={move} />
        <Arrows what={title} isFirst={index === 0} isLast={index === groups.length - 1} onMove={move} />
        <Button
          look="quiet"
          aria-label={t`Remove ${title}`}
          onClick={() => onChange(groups.filter(({ key }) => key !== group.key))}
        >
          <Trans>Remove</Trans>
        </Button>
      </div>
      <ol className="mt-3 divide-y divide-line">
        {group.monitors.map((placed, at) => (
          <MonitorRow
            key={placed.monitorId}
            placed={placed}
            grip={dragging.grip({ monitorId: placed.monitorId })}
            mark={rowMark(dragging, { group: index, index: at, of: group.monitors.length })}
            name={`sections.${index}.monitors.${at}`}
            isFirst={index === 0 && at === 0}
            isLast={index === groups.length - 1 && at === group.monitors.length - 1}
            onMove={(direction) => moveOne(placed, direction)}
            onRemove={() => onChange(removeMonitor(groups, placed.monitorId))}
            onRename={(shownName) => onChange(renameMonitor(groups, placed.monitorId, shownName))}
          />
        ))}
      </ol>
      <div className="mt-3">
        <Button aria-label={t`Add monitors to ${title}`} onClick={onAdd}>
          <Trans>Add monitors</Trans>
        </Button>
      </div>
    </div>
  )
}

type NameProps = LayoutProps & { name: string; group: Group; onMove: (direction: Direction) => void }

function GroupName({ name, group, groups, onChange, onMove }: NameProps): ReactNode {
  const { id, problem } = useField(name)
  return (
    <div className="flex min-w-40 flex-1 flex-col gap-1 max-sm:basis-2/3">
      <label htmlFor={id} className="text-sm text-muted">
        <Trans>Heading (optional)</Trans>
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
  grip: ReactNode
  mark: string
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (direction: Direction) => void
  onRemove: () => void
  onRename: (shownName: string) => void
}

function MonitorRow({ placed, grip, mark, name, isFirst, isLast, onMove, onRemove, onRename }: RowProps): ReactNode {
  const { id, problem } = useField(`${name}.monitor_id`)
  const renamed = useField(`${name}.name`)
  const told = problem ?? renamed.problem
  const { monitorId, monitorName, shownName } = placed
  return (
    <li data-row={monitorId} className={`flex flex-wrap items-center gap-2 py-2 ${mark}`}>
      {grip}
      <span className="min-w-20 flex-1 text-sm font-medium wrap-anywhere max-sm:basis-[calc(100%-3rem)]">
        {monitorName}
      </span>
      <input
        aria-label={t`Name of ${monitorName} on the page`}
        name={`${name}.name`}
        value={shownName}
        maxLength={160}
        placeholder={t`Another name`}
        autoComplete="off"
        onChange={(event) => onRename(event.currentTarget.value)}
        onKeyDown={(event) => onArrows(event, onMove)}
        className={`${inputClass} max-sm:min-w-24 max-sm:flex-1 max-sm:basis-0 sm:max-w-36`}
      />
      <Arrows what={monitorName} isFirst={isFirst} isLast={isLast} onMove={onMove} />
      <Button look="quiet" aria-label={t`Remove ${monitorName} from the page`} onClick={onRemove}>
        ×
      </Button>
      {told !== null && (
        <p id={`${id}-problem`} className="w-full text-sm text-bad">
          {told}
        </p>
      )}
    </li>
  )
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
    <Dialog title={t`Add monitors`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <MonitorPicker
          label={t`Monitors`}
          monitors={monitors}
          chosen={chosen}
          onChange={setChosen}
          taken={new Map(placed.map((id) => [id, t`on the page already`]))}
        />
        <div className="flex gap-2">
          <Button look="primary" onClick={add}>
            <Trans>Add</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
