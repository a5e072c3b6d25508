// Several may be on call at once elsewhere, and one in a schedule here: what it takes then is several schedules, which
// together have on call exactly those who are so there.
import type { SourceLayer, WeekWindow } from './on-call-import.ts'
import { doOverlap, isCovered, joinWindows } from './on-call-import-windows.ts'

/** A layer in which one is on call at a time. */
export type LaneLayer = Omit<SourceLayer, 'turns'> & { turns: readonly string[] }

/** Layers, of which later ones win, and the ids of those whose overrides count in it. */
export type Lane = { layers: readonly LaneLayer[]; own: ReadonlySet<string> }

type Limits = {
  most: number
  /** Whether a layer has somebody from now on. */
  hasBegun: (layer: LaneLayer) => boolean
}

/** What a schedule of the source becomes; null when that were more than the limit. */
export function lanesOf(layers: readonly SourceLayer[], { most, hasBegun }: Limits): Lane[] | null {
  if (layers.some(({ turns }) => turns.some((group) => group.length > most))) return null
  const levels = [...Map.groupBy(layers, ({ level }) => level)]
    .toSorted(([one], [other]) => one - other)
    .map(([, ofLevel]) => spread(ofLevel.flatMap(singles), most))
  const count = Math.max(0, ...levels.map((lanes) => lanes.length))
  if (count > most) return null
  return Array.from({ length: count }, (_, index) => {
    const owned = levels.map((lanes, depth) => (depth === 0 ? lanes[index] : lanes[index % lanes.length]) ?? [])
    const stacked = levels.flatMap((lanes, depth) => {
      const own = owned[depth] ?? []
      // Lower levels are hidden whenever somebody of this level is on call, also in another lane.
      return depth === 0
        ? own
        : lanes
            .flat()
            .filter((layer) => !own.includes(layer))
            .concat(own)
    })
    return { layers: withoutHidden(stacked, hasBegun), own: new Set(owned.flat().map(({ id }) => id)) }
  })
}

/** A layer for each of the most that are on call together; in a turn of fewer, one of them is in several layers. */
function singles(layer: SourceLayer): LaneLayer[] {
  const most = Math.max(1, ...layer.turns.map((group) => group.length))
  return Array.from({ length: most }, (_, index) => ({
    ...layer,
    turns: layer.turns.flatMap((group) => group[index % group.length] ?? []),
  }))
}

/** Layers in as few lanes as their order gives, in each of which no two overlap; more than `most` are cut off. */
function spread(layers: readonly LaneLayer[], most: number): LaneLayer[][] {
  const lanes: LaneLayer[][] = []
  for (const layer of layers) {
    const free = lanes.find((lane) => lane.every((other) => !doOverlap(layer.windows, other.windows)))
    if (free === undefined && lanes.push([layer]) > most) break
    if (free === undefined) continue
    free.push(layer)
  }
  return lanes
}

/** Without those that layers above them hide at all times. */
function withoutHidden(layers: readonly LaneLayer[], hasBegun: (layer: LaneLayer) => boolean): LaneLayer[] {
  const shown: LaneLayer[] = []
  let above: readonly WeekWindow[] | null = []
  for (const layer of layers.toReversed()) {
    if (isCovered(layer.windows, above)) continue
    shown.unshift(layer)
    if (layer.turns.length > 0 && hasBegun(layer))
      above = above === null || layer.windows === null ? null : joinWindows([...above, ...layer.windows])
  }
  return shown
}
