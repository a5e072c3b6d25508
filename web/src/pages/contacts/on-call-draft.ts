// A schedule as its form holds it: texts as they are typed, rows with keys that stay while others come and go.
import type { OnCallLayer, OnCallScheduleRecord } from '../../api/on-call.ts'
import { isCount, isText, listOf, oneOf, recordOf } from '../../parts/drafts/draft-shape.ts'
import { isZone, localIn } from '../../parts/zone-time.ts'

export type ParticipantDraft = { key: number; id: string }
export type RestrictionDraft = { key: number; weekdays: readonly number[]; starts: string; ends: string }
export type LayerDraft = {
  key: number
  name: string
  participants: readonly ParticipantDraft[]
  every: string
  unit: OnCallLayer['rotation']['unit']
  handOver: string
  /** "" for that of the start date. */
  weekday: string
  startDate: string
  restrictions: readonly RestrictionDraft[]
}

export const mostLayers = 10
export const mostParticipants = 50
export const mostRestrictions = 10

const isRow = { key: isCount }
const areListed = listOf(
  recordOf<LayerDraft>({
    ...isRow,
    name: isText,
    participants: listOf(recordOf<ParticipantDraft>({ ...isRow, id: isText })),
    every: isText,
    unit: oneOf(['hours', 'days', 'weeks']),
    handOver: isText,
    weekday: isText,
    startDate: isText,
    restrictions: listOf(
      recordOf<RestrictionDraft>({ ...isRow, weekdays: listOf(isCount), starts: isText, ends: isText }),
    ),
  }),
)

/** Whether these are layers that a form once held. */
export function areLayers(value: unknown): value is LayerDraft[] {
  return areListed(value) && value.length <= mostLayers && new Set(value.map(({ key }) => key)).size === value.length
}

export function draftsOf({ layers }: OnCallScheduleRecord): LayerDraft[] {
  return layers.map((layer, key) => ({
    key,
    name: layer.name ?? '',
    participants: layer.participants.map((id, place) => ({ key: place, id })),
    every: String(layer.rotation.every),
    unit: layer.rotation.unit,
    handOver: layer.hand_over,
    weekday: layer.weekday === null ? '' : String(layer.weekday),
    startDate: layer.start_date,
    restrictions: layer.restrictions.map((restriction, place) => ({ ...restriction, key: place })),
  }))
}

/** Weekly from today on, with the first contact. */
export function newLayer(
  among: readonly LayerDraft[],
  { zone, ids }: { zone: string; ids: readonly string[] },
): LayerDraft {
  return {
    key: nextKey(among),
    name: '',
    participants: ids.slice(0, 1).map((id) => ({ key: 0, id })),
    every: '1',
    unit: 'weeks',
    handOver: '09:00',
    weekday: '',
    startDate: localIn(isZone(zone) ? zone : 'UTC', new Date()).slice(0, 10),
    restrictions: [],
  }
}

export function nextKey(rows: readonly { key: number }[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1
}

/** The rows with one of them changed. */
export function changed<T extends { key: number }>(rows: readonly T[], key: number, change: Partial<T>): T[] {
  return rows.map((row) => (row.key === key ? Object.assign({}, row, change) : row))
}

/** The rows with the one at `index` before or behind its neighbour. */
export function moved<T>(rows: readonly T[], index: number, by: -1 | 1): T[] {
  const [row] = rows.slice(index, index + 1)
  const others = rows.toSpliced(index, 1)
  return row === undefined ? others : others.toSpliced(index + by, 0, row)
}

/** What is wrong in it goes as it is, so that the refusal names its field. */
export function contentOf(draft: LayerDraft): OnCallLayer {
  return {
    name: draft.name.trim() === '' ? null : draft.name,
    participants: draft.participants.map(({ id }) => id),
    rotation: { every: Number(draft.every), unit: draft.unit },
    hand_over: draft.handOver,
    weekday: draft.unit === 'weeks' && draft.weekday !== '' ? Number(draft.weekday) : null,
    start_date: draft.startDate,
    restrictions: draft.restrictions.map(({ weekdays, starts, ends }) => ({ weekdays: [...weekdays], starts, ends })),
  }
}

const mostTurns = 8760

/** Whether shifts can be computed of it. The service says what is wrong where they cannot. */
export function isWhole({ every, handOver, startDate, restrictions }: LayerDraft): boolean {
  const count = Number(every)
  const year = Number(startDate.slice(0, 4))
  return (
    Number.isInteger(count) &&
    count >= 1 &&
    count <= mostTurns &&
    handOver !== '' &&
    year >= 2000 &&
    year < 2100 &&
    restrictions.every(({ starts, ends }) => starts !== '' && ends !== '')
  )
}
