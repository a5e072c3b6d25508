import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, createContext, lazy, use, useEffect, useState } from 'react'
import type { Asked } from '../palette/verbs.ts'
import { Icon } from '../parts/icons.tsx'
import { isSingleKey, withCommand } from '../parts/keys.ts'
import { useWorkspace } from '../session/workspace.tsx'
import { noteRecent } from './recent.ts'

/** What is open of the palette: itself, the table of keys, or what a verb asks. */
export type Step = 'find' | 'keys' | Asked

const OpenContext = createContext<(step: Step) => void>(() => {})

/** Opens the palette, whose script comes with its first use. */
export function usePalette(): (step: Step) => void {
  return use(OpenContext)
}

/** Around the pages of a workspace: Ctrl-K or ⌘-K opens the palette, "?" the table of keys. */
export function PaletteDoor({ children }: { children: ReactNode }): ReactNode {
  const [step, setStep] = useState<Step | null>(null)
  useVisits()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (!isPalette && !isSingleKey(event, '?')) return
      // Not above a question, whose answer comes first. Pressed again it closes the palette.
      const isAsked = document.querySelector('dialog[open]') !== null
      if (isPalette) setStep((present) => (present === 'find' ? null : isAsked ? present : 'find'))
      else if (!isAsked) setStep('keys')
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <OpenContext value={setStep}>
      {children}
      {step !== null && (
        <Suspense>
          <Palette step={step} go={setStep} />
        </Suspense>
      )}
    </OpenContext>
  )
}

const load = () => import('../palette/palette.tsx')
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** Notes where the person was, for the palette. */
function useVisits(): void {
  const { pathname } = useLocation()
  const { workspace } = useWorkspace()
  useEffect(() => noteRecent(workspace.id, pathname), [workspace.id, pathname])
}

/** Shows that there is a palette, and opens it for whoever has no keys. */
export function PaletteButton(): ReactNode {
  const open = usePalette()
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => open('find')}
      className="flex w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left text-sm text-muted hover:bg-sunken"
    >
      <Icon name="search" />
      <span className="grow truncate">
        <Trans>Find or do</Trans>
      </span>
      <kbd aria-hidden="true" className="rounded border border-line px-1.5 font-sans text-xs leading-5 max-md:hidden">
        {withCommand('K')}
      </kbd>
    </button>
  )
}
