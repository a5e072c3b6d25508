import { type ReactNode, useEffect, useRef } from 'react'

type TabsProps = {
  /** The subject of the tabs, for screen readers. */
  label: string
  /** Which one is shown: the `data-tab` of its link. */
  present: string
  /** Links of the class `tabClass`, each with its `data-tab`. */
  children: ReactNode
}

/** The parts of a page, each at an address of its own, on one line: where they do not fit they are moved sideways. */
export function Tabs({ label, present, children }: TabsProps): ReactNode {
  const line = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = line
    const tab = current?.querySelector(`[data-tab="${present}"]`)
    if (!current || !tab) return
    // Says the width at once, and whenever it changes.
    const observer = new ResizeObserver(() => moveIntoSight(current, tab))
    observer.observe(current)
    return () => observer.disconnect()
  }, [present])
  return (
    <nav
      ref={line}
      aria-label={label}
      className="mb-6 flex overflow-x-auto shadow-[inset_0_-1px_var(--line)] [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4 sm:gap-x-1"
    >
      {children}
    </nav>
  )
}

/** Its ring lies within, for what is moved sideways is cut at its edges. */
export const tabClass =
  'shrink-0 scroll-mx-4 border-b-2 border-transparent px-2 py-2 text-sm text-muted -outline-offset-2! hover:text-text aria-[current=page]:border-accent-text aria-[current=page]:font-medium aria-[current=page]:text-text sm:px-3'

/** In pixels, beside what is moved into sight. */
const room = 16

/** Sideways alone: the page stays where its reader is. */
function moveIntoSight(line: Element, tab: Element): void {
  const [seen, wanted] = [line.getBoundingClientRect(), tab.getBoundingClientRect()]
  const beyond = Math.max(0, wanted.right + room - seen.right)
  const before = Math.max(0, seen.left + room - wanted.left)
  line.scrollLeft += beyond - before
}
