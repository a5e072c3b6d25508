/** What fingers do on a chart; places are pixels from its left edge. */
export type TouchTarget = {
  /** One finger moves along. */
  onRead: (x: number) => void
  /** A stretch is being chosen, between two fingers or by one that was held; null once it is not any more. */
  onMark: (stretch: [number, number] | null) => void
  onChoose: (stretch: [number, number]) => void
  /** Whether a stretch can be chosen now. */
  mayChoose: () => boolean
}

/** As long as browsers wait before a press is a long one. */
const holdMs = 450
/** In pixels: less is a finger that trembles. */
const slack = 10

/** `held`: by one finger that was held still first; `read`: by one that moves along. */
type Gesture =
  | { type: 'none' }
  | { type: 'down' | 'read'; x: number; y: number }
  | { type: 'held'; from: number; to: number }
  | { type: 'fingers'; from: number; to: number }

/**
 * Two fingers choose what lies between them, one that is held first chooses what it is drawn over. Up and down, one
 * finger scrolls the page: the element has `touch-action: pan-y`. Returns the end.
 */
export function listenToTouch(element: HTMLElement, target: TouchTarget): () => void {
  let gesture: Gesture = { type: 'none' }
  let timer: ReturnType<typeof setTimeout> | undefined
  const turnTo = (next: Gesture): void => {
    clearTimeout(timer)
    gesture = next
    target.onMark(isChoice(next) ? ends(next) : null)
  }
  const hold = (x: number): void => turnTo({ type: 'held', from: x, to: x })
  const onStart = (event: TouchEvent): void => {
    const [one, two] = placesOf(element, event)
    if (one === undefined) return
    if (two !== undefined && target.mayChoose()) turnTo({ type: 'fingers', from: one.x, to: two.x })
    else if (two === undefined) {
      turnTo({ type: 'down', ...one })
      if (target.mayChoose()) timer = setTimeout(() => hold(one.x), holdMs)
    }
  }
  const onMove = (event: TouchEvent): void => {
    const [one, two] = placesOf(element, event)
    if (one === undefined) return
    if (gesture.type === 'fingers' && two !== undefined) turnTo({ type: 'fingers', from: one.x, to: two.x })
    else if (gesture.type === 'held') turnTo({ ...gesture, to: one.x })
    else if (gesture.type === 'read' || (gesture.type === 'down' && isMoved(gesture, one))) {
      if (gesture.type === 'down') turnTo({ type: 'read', ...one })
      target.onRead(one.x)
    }
    // The page does not scroll below a choice.
    if (isChoice(gesture) && event.cancelable) event.preventDefault()
  }
  const onEnd = (event: TouchEvent): void => {
    const ended = gesture
    turnTo({ type: 'none' })
    if (!isChoice(ended)) return
    // It is no click either.
    if (event.cancelable) event.preventDefault()
    const [from, to] = ends(ended)
    if (to - from >= slack) target.onChoose([from, to])
  }
  const onCancel = (): void => turnTo({ type: 'none' })
  // A held finger asks for no menu.
  const onMenu = (event: Event): void => {
    if (gesture.type !== 'none') event.preventDefault()
  }
  element.addEventListener('touchstart', onStart, { passive: true })
  element.addEventListener('touchmove', onMove, { passive: false })
  element.addEventListener('touchend', onEnd)
  element.addEventListener('touchcancel', onCancel)
  element.addEventListener('contextmenu', onMenu)
  return () => {
    clearTimeout(timer)
    element.removeEventListener('touchstart', onStart)
    element.removeEventListener('touchmove', onMove)
    element.removeEventListener('touchend', onEnd)
    element.removeEventListener('touchcancel', onCancel)
    element.removeEventListener('contextmenu', onMenu)
  }
}

type Choice = Extract<Gesture, { from: number }>

function isChoice(gesture: Gesture): gesture is Choice {
  return gesture.type === 'held' || gesture.type === 'fingers'
}

function ends({ from, to }: Choice): [number, number] {
  return [Math.min(from, to), Math.max(from, to)]
}

type Place = { x: number; y: number }

function isMoved(from: Place, to: Place): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) > slack
}

/** Within the element: a finger may leave it. */
function placesOf(element: HTMLElement, { targetTouches }: TouchEvent): Place[] {
  const { left, top, width } = element.getBoundingClientRect()
  return [...targetTouches].map(({ clientX, clientY }) => ({
    x: Math.min(width, Math.max(0, clientX - left)),
    y: clientY - top,
  }))
}
