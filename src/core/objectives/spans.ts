// Times as spans: sets of milliseconds since 1970, so that what is in two of them is counted once.

/** Includes its begin, excludes its end. */
export type Span = readonly [from: number, until: number]

/** Spans in order, none of which touches the next. */
export type Spans = readonly Span[]

/** Any spans put in order, those that touch made one. Empty ones are left out. */
export function unionOf(spans: Spans): Spans {
  const union: [number, number][] = []
  for (const [from, until] of spans.toSorted(([one], [other]) => one - other)) {
    if (until <= from) continue
    const last = union.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], until)
    else union.push([from, until])
  }
  return union
}

/** What of `spans` lies outside `removed`; both are in order. */
export function without(spans: Spans, removed: Spans): Spans {
  const left: Span[] = []
  let next = 0
  for (const [from, until] of spans) {
    let at = from
    while (next < removed.length && (removed[next]?.[1] ?? 0) <= at) next += 1
    for (let index = next; index < removed.length; index += 1) {
      const [begin, end] = removed[index] ?? [until, until]
      if (begin >= until) break
      if (begin > at) left.push([at, begin])
      at = Math.max(at, end)
    }
    if (at < until) left.push([at, until])
  }
  return left
}

/** What lies in both; both are in order. */
export function intersectionOf(one: Spans, other: Spans): Spans {
  const both: Span[] = []
  let left = 0
  let right = 0
  while (left < one.length && right < other.length) {
    const [from, until] = one[left] ?? [0, 0]
    const [begin, end] = other[right] ?? [0, 0]
    if (Math.max(from, begin) < Math.min(until, end)) both.push([Math.max(from, begin), Math.min(until, end)])
    if (until <= end) left += 1
    else right += 1
  }
  return both
}

/** Milliseconds of `spans`, which are in order, that lie within `window`. */
export function lengthWithin(spans: Spans, [from, until]: Span): number {
  let length = 0
  for (let index = firstEndingAfter(spans, from); index < spans.length; index += 1) {
    const [begin, end] = spans[index] ?? [until, until]
    if (begin >= until) break
    length += Math.min(end, until) - Math.max(begin, from)
  }
  return length
}

function firstEndingAfter(spans: Spans, time: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.[1] ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}
