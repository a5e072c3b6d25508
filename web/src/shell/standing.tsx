import { plural } from '@lingui/core/macro'
import { type ReactNode, createContext, use, useEffect } from 'react'
import { TitleStart } from '../parts/page.tsx'
import { type Standing, useStanding } from '../session/use-standing.ts'

const StandingContext = createContext<Standing | null>(null)

/** How many incidents run in the workspace; null until it is known. */
export function useShownStanding(): Standing | null {
  return use(StandingContext)
}

/** Has the title and the icon of the window say how the workspace is, on every page of it. */
export function StandingProvider({ children }: { children: ReactNode }): ReactNode {
  const standing = useStanding()
  const [open, running] = [standing?.open ?? 0, standing?.running ?? 0]
  useIcon(open > 0 ? 'down' : running > 0 ? 'acknowledged' : 'well')
  return (
    <StandingContext value={standing}>
      <TitleStart value={running === 0 ? '' : plural(running, { one: '# down', other: '# down' })}>
        {children}
      </TitleStart>
    </StandingContext>
  )
}

/** Told apart by a shape as well as by a colour: a square that nobody has acknowledged, a diamond that somebody has. */
const icons = { well: 'favicon.svg', down: 'favicon-down.svg', acknowledged: 'favicon-acknowledged.svg' } as const

function useIcon(shown: keyof typeof icons): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (link === null) return undefined
    link.href = import.meta.env.BASE_URL + icons[shown]
    return () => {
      link.href = import.meta.env.BASE_URL + icons.well
    }
  }, [shown])
}
