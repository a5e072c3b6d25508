import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type FormHTMLAttributes, type RefObject, useRef, useState } from 'react'
import type { Fields } from '../../api/ask.ts'
import type { MonitorRecord, Payload, QuoteRecord, TrialRecord } from '../../api/monitors.ts'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { type Unsaved, useUnsaved } from '../../parts/form/use-unsaved.ts'
import { useChanged } from '../../session/workspace.tsx'
import { type FormOf, type MonitorInput, readMonitor } from './input.ts'
import { placeProblems, revealFirst } from './placing.ts'
import { type Release, useRelease } from './use-release.ts'
import { monitorKey, useMonitors } from '../../session/use-monitors.ts'

/** Problems at their fields; `message` belongs to no field. */
type Shown = { fields: Fields; message: string | null }
type Work = 'save' | 'try'

export type Editing = {
  form: RefObject<HTMLFormElement | null>
  /** For the form. */
  listeners: Unsaved['listeners'] & Pick<FormHTMLAttributes<HTMLFormElement>, 'onBlur'>
  draft: Unsaved['draft']
  shown: Shown
  /** The price of saving now; null while it is unknown. */
  quote: QuoteRecord | null
  trial: TrialRecord | null
  /** The request that is under way. */
  work: Work | null
  save: () => Promise<void>
  tryOnce: () => Promise<void>
}

/** The fields of the page hold what is typed; this hook reads it, sends it, and shows its problems. */
export function useEditing(of: FormOf): Editing {
  const monitors = useMonitors()
  const settle = useSettled(of.record)
  const draft = { form: draftName(of), isNew: of.record === null }
  const { form, ...unsaved } = useUnsaved({ draft })
  const [shown, setShown] = useState<Shown>({ fields: {}, message: null })
  const [trial, setTrial] = useState<TrialRecord | null>(null)
  const [work, setWork] = useState<Work | null>(null)
  const id = of.record?.id ?? null
  const read = (): MonitorInput => readMonitor(new FormData(form.current ?? undefined), of)
  const show = (problems: Fields, message: string | null): void => {
    const { fields, isWhole } = placeProblems(form.current, problems)
    setShown({ fields, message: isWhole ? null : message })
    revealFirst(form.current, Object.keys(fields))
  }
  const { onPointerDown, whenReleased } = useRelease()
  const { quote, review, forget } = useReview({ form, id, read, setShown, whenReleased })
  const send = async (kind: Work, act: (payload: Payload) => Promise<void>): Promise<void> => {
    const { payload, problems } = read()
    if (work !== null) return
    forget()
    show(problems, null)
    if (Object.keys(problems).length > 0) return
    setWork(kind)
    setTrial(null)
    try {
      await act(payload)
    } catch (error) {
      const { fields, message } = problemOf(error)
      show(fields, message)
    } finally {
      setWork(null)
    }
  }
  return {
    form,
    listeners: listenersOf(unsaved, { review, onPointerDown }),
    draft: unsaved.draft,
    shown,
    quote,
    trial,
    work,
    save: () =>
      send('save', async (payload) => {
        const saved = await (id === null ? monitors.create(payload) : monitors.change(id, payload))
        unsaved.settle()
        await settle(saved)
      }),
    tryOnce: () =>
      send('try', async (payload) => {
        setTrial(await monitors.tryOnce(id, { input: payload, location: firstOf(payload['locations']) }))
      }),
  }
}

type Heard = Pick<Review, 'review'> & Pick<Release, 'onPointerDown'>

function listenersOf(
  { listeners }: Pick<Unsaved, 'listeners'>,
  { review, onPointerDown }: Heard,
): Editing['listeners'] {
  return {
    ...listeners,
    onPointerDown: (event) => {
      listeners.onPointerDown?.(event)
      onPointerDown()
    },
    onChange: (event) => {
      listeners.onChange?.(event)
      tellChoice(event, review)
    },
    onBlur: ({ target }) => tellField(target, review),
  }
}

/** Each kind has fields of its own, and a copy, or a target that was pasted, begins with other words. */
function draftName({ kind, copied, target = '' }: FormOf): string {
  return `monitor ${kind} ${copied?.id ?? target}`
}

type Reviewing = Pick<Editing, 'form'> &
  Pick<Release, 'whenReleased'> & {
    id: string | null
    read: () => MonitorInput
    setShown: (shown: Shown) => void
  }

type Review = { quote: QuoteRecord | null; review: (name: string) => void; forget: () => void }

/**
 * Shows the problems of a field as soon as the person leaves it. Once there are none, the hook asks the service what
 * saving would cost, which also tells what the service would refuse.
 */
function useReview({ form, id, read, setShown, whenReleased }: Reviewing): Review {
  const monitors = useMonitors()
  const touched = useRef(new Set<string>())
  const asked = useRef('')
  const turn = useRef(0)
  const [quote, setQuote] = useState<QuoteRecord | null>(null)
  const show = (fields: Fields): void => {
    const begun = turn.current
    whenReleased(() => {
      if (turn.current === begun) setShown({ fields, message: null })
    })
  }
  const ask = async (payload: Payload): Promise<void> => {
    const text = JSON.stringify(payload)
    if (asked.current === text) return
    asked.current = text
    try {
      const answer = await monitors.quote(id, payload)
      if (asked.current === text) setQuote(answer)
    } catch (error) {
      if (asked.current !== text) return
      setQuote(null)
      show(placeProblems(form.current, problemOf(error).fields).fields)
    }
  }
  /** Answers and problems that are still to come are about a form that has changed by now. */
  const forget = (): void => {
    asked.current = ''
    turn.current += 1
  }
  const review = (name: string): void => {
    touched.current.add(baseOf(name))
    const { payload, problems } = read()
    const { fields } = placeProblems(form.current, problems)
    const seen = Object.entries(fields).filter(([each]) => touched.current.has(baseOf(each)))
    const isSame = asked.current === JSON.stringify(payload)
    if (!isSame || seen.length > 0) show(Object.fromEntries(seen))
    if (Object.keys(problems).length === 0) void ask(payload)
    else asked.current = ''
  }
  return { quote, review, forget }
}

/** A choice is complete at once. A typed value is complete when the person leaves its field, which `onBlur` hears. */
function tellChoice({ target }: FormEvent, tell: (name: string) => void): void {
  if (isField(target) && isChoice(target)) tellField(target, tell)
}

function tellField(target: EventTarget, tell: (name: string) => void): void {
  if (isField(target) && target.name !== '') tell(target.name)
}

/** After it was saved: everything that shows it is read again, and its page is shown. */
function useSettled(record: MonitorRecord | null): (saved: MonitorRecord) => Promise<void> {
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  return async ({ id }) => {
    toast(record === null ? t`The monitor is created.` : t`The monitor is changed.`)
    router.history.push(`/monitors/${id}`)
    await changed('monitors', 'account', monitorKey(id))
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isField(target: EventTarget): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  )
}

function isChoice(target: Field): boolean {
  return target instanceof HTMLSelectElement || target.type === 'checkbox' || target.type === 'radio'
}

/** A field's parts belong together: `interval_seconds.unit` is of `interval_seconds`. */
function baseOf(name: string): string {
  const parts = name.split('.')
  return parts.slice(0, parts[0] === 'check_options' ? 2 : 1).join('.')
}

function firstOf(list: unknown): string {
  const [first]: unknown[] = Array.isArray(list) ? list : []
  return typeof first === 'string' ? first : ''
}
