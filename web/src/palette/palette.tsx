import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import {
  type ReactNode,
  type SyntheticEvent,
  Suspense,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { pastedState } from '../parts/pasted.ts'
import { useWorkspace } from '../session/workspace.tsx'
import type { Step } from '../shell/palette-door.tsx'
import { readRecent } from '../shell/recent.ts'
import { useMayWrite } from '../session/use-monitors.ts'
import { useActions, watchEntries } from './actions.ts'
import { AskedDialog } from './asked-dialog.tsx'
import { Combobox } from './combobox.tsx'
import { type Entry, type Group, type GroupName, entryOf, find, fitting, wordsOf } from './find.ts'
import { useFound } from './found.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { useVerbs } from './verbs.ts'

type PaletteProps = { step: Step; go: (step: Step | null) => void }

/** The palette, the table of keys, or what a verb asks; `go` leads to another of them, or ends it. */
export function Palette({ step, go }: PaletteProps): ReactNode {
  const close = (): void => go(null)
  if (step === 'keys') return <KeysDialog onClose={close} />
  return <Suspense>{step === 'find' ? <Finder go={go} /> : <AskedDialog asked={step} onClose={close} />}</Suspense>
}

function Finder({ go }: Pick<PaletteProps, 'go'>): ReactNode {
  const { workspace } = useWorkspace()
  const router = useRouter()
  const found = useFound()
  const verbs = useVerbs(found, go)
  const actions = useActions(() => go('keys'))
  const [recent] = useState(() => readRecent(workspace.id))
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed)
  const words = wordsOf(sought)
  const ways = useMayWrite() ? watchEntries(sought) : []
  const shown = [...verbs.here, ...actions, ...found.entries]
  const groups =
    words.length === 0
      ? beginning(verbs.here, shown, recent)
      : find(once([...shown, ...verbs.named(words), ...byId(words), ...ways]), words, recent)
  const choose = ({ goal }: Entry, isElsewhere: boolean): void => {
    // First: the dialog gives the focus back, and a page that comes then takes it.
    go(null)
    if (!('href' in goal)) goal.run()
    // A tab of its own would not have what was pasted, which stands in no address.
    else if (isElsewhere && goal.pasted === undefined) window.open(goal.href, '_blank', 'noopener')
    else router.history.push(goal.href, pastedState(goal.pasted))
  }
  return (
    <Frame onClose={() => go(null)}>
      <Combobox groups={groups} isReading={found.isReading} typed={typed} onTyped={setTyped} onChoose={choose} />
    </Frame>
  )
}

const mostRecent = 5

/** Before anything is typed: where the person was last, what can be done with what is shown, and the pages. */
function beginning(here: readonly Entry[], entries: readonly Entry[], recent: readonly string[]): Group[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const present = location.pathname
  const last = recent.flatMap((key) => (key === present ? [] : (byKey.get(key) ?? [])))
  const shown = new Set(last.slice(0, mostRecent).map(({ key }) => key))
  const others = (name: GroupName): Group => ({
    name,
    entries: entries.filter(({ key, group }) => group === name && !shown.has(key)),
  })
  return fitting([
    { name: 'actions', entries: here },
    { name: 'recent', entries: last.slice(0, mostRecent) },
    others('pages'),
    others('settings'),
  ])
}

function once(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An incident may be older than those that are read here; whether there is one, its page says. */
function byId([word = '', ...rest]: readonly string[]): Entry[] {
  if (rest.length > 0 || !uuid.test(word)) return []
  const href = `/incidents/${word}`
  const title = t`The incident with this id`
  return [entryOf({ key: href, group: 'incidents', title, icon: 'incidents', also: word, goal: { href } })]
}

/** The browser's own dialog, which holds the focus; a press beside it ends it where the browser knows `closedby`. */
function Frame({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: the focus then goes back to where it came from.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  const onCancel = (event: SyntheticEvent): void => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t`Command palette`}
      onCancel={onCancel}
      closedby="any"
      className="mt-[10vh] max-h-[75dvh] w-full max-w-xl overflow-hidden rounded-2xl border border-line bg-surface p-0 shadow-xl max-sm:mt-3 max-sm:max-w-[calc(100vw-1.5rem)]"
    >
      <div className="flex max-h-[75dvh] flex-col">{children}</div>
    </dialog>
  )
}
