/** In pixels, around what lies over the page. */
const gap = 6
const controls = 'a[href], button, input, select, textarea, summary, [role=slider], [tabindex="0"]'

/**
 * Has an element that lies over the page cover nothing that can be pressed: it goes up from its place to the next free
 * one, again whenever the page below changes. Where there is none it stays. As the `ref` of an element it ends by itself.
 */
export function keepFree(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined
  let frame = 0
  const settle = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => moveTo(element))
  }
  moveTo(element)
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => !element.contains(target))) settle()
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true })
  addEventListener('scrollend', settle)
  addEventListener('resize', settle)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    removeEventListener('scrollend', settle)
    removeEventListener('resize', settle)
  }
}

function moveTo(element: HTMLElement): void {
  element.style.translate = ''
  if (!isOver(element)) return
  const own = element.getBoundingClientRect()
  const up = upTo(own, visibleControls(own))
  if (up > 0) element.style.translate = `0 ${-up}px`
}

/** In the flow of the page it covers nothing. */
function isOver(element: HTMLElement): boolean {
  for (let each: HTMLElement | null = element; each !== null; each = each.parentElement)
    if (getComputedStyle(each).position === 'fixed') return true
  return false
}

type Span = { top: number; bottom: number }

/** Those of the window that stand below each other with the element. */
function visibleControls({ left, right }: DOMRect): Span[] {
  return [...document.querySelectorAll(controls)].flatMap((control) => {
    const box = control.getBoundingClientRect()
    const isBeside = box.right < left - gap || box.left > right + gap
    const isOutside = box.bottom < 0 || box.top > innerHeight
    return box.width === 0 || isBeside || isOutside || !control.checkVisibility() ? [] : [box]
  })
}

/** How far up the next free place is; 0 if there is none. */
function upTo(own: DOMRect, covered: readonly Span[]): number {
  let up = 0
  for (const { top, bottom } of covered.toSorted((one, other) => other.bottom - one.bottom)) {
    const isFree = own.top - up - gap >= bottom || own.bottom - up + gap <= top
    if (!isFree) up = own.bottom - top + gap
  }
  return own.top - up < gap ? 0 : up
}
