/** Moves the focus among cards by an arrow key; upwards from the first row to `above`. Whether it moved. */
export function goToNeighbour(cards: readonly HTMLElement[], key: string, above: HTMLElement | null): boolean {
  const place = cards.findIndex((card) => card === document.activeElement)
  const now = cards[place]
  if (now === undefined) return false
  const next = neighbourOf(cards, { place, now, key }) ?? (key === 'ArrowUp' ? above : null)
  next?.focus()
  return next !== null
}

type Place = { place: number; now: HTMLElement; key: string }

function neighbourOf(cards: readonly HTMLElement[], { place, now, key }: Place): HTMLElement | null {
  switch (key) {
    case 'ArrowRight':
      return cards[place + 1] ?? null
    case 'ArrowLeft':
      return cards[place - 1] ?? null
    case 'ArrowDown':
      return nearest(
        now,
        rowOf(cards.slice(place + 1), (card) => card.top >= now.getBoundingClientRect().bottom),
      )
    case 'ArrowUp':
      return nearest(
        now,
        rowOf(cards.slice(0, place).toReversed(), (card) => card.bottom <= now.getBoundingClientRect().top),
      )
    default:
      return null
  }
}

/** The first row of those that lie beyond: all of them are about as far away as its first card. */
function rowOf(cards: readonly HTMLElement[], isBeyond: (card: DOMRect) => boolean): HTMLElement[] {
  const [first, ...others] = cards.filter((card) => isBeyond(card.getBoundingClientRect()))
  if (first === undefined) return []
  const { top, bottom } = first.getBoundingClientRect()
  const isBeside = (card: HTMLElement): boolean => {
    const own = card.getBoundingClientRect()
    return own.top < bottom && own.bottom > top
  }
  return [first, ...others.filter(isBeside)]
}

function nearest(now: HTMLElement, row: readonly HTMLElement[]): HTMLElement | null {
  const { left } = now.getBoundingClientRect()
  const distance = (card: HTMLElement): number => Math.abs(card.getBoundingClientRect().left - left)
  return row.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}
