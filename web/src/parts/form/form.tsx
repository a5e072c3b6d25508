import { type FormEvent, type ReactNode, createContext, use, useId, useMemo, useState } from 'react'
import type { Fields } from '../../api/ask.ts'
import { Button, type Look } from '../button.tsx'
import { Restored } from '../drafts/restored-note.tsx'
import type { DraftOf } from '../drafts/use-draft.ts'
import { Notice } from '../notice.tsx'
import { type Problem, problemOf } from '../problem.ts'
import { type Unsaved, useUnsaved } from './use-unsaved.ts'

/** What was typed or chosen, by the fields' names. A field that was left out is "". */
export type Values = (name: string) => string

type FormProps = {
  /** Refusals that it throws are shown: at their fields, where the form has them. */
  onSubmit: (values: Values, sent: FormData) => Promise<unknown>
  /** Called once what was sent counts as saved, such as to begin an empty form. */
  onSent?: () => void
  submit: ReactNode
  /** Beside the button, such as one that cancels. */
  beside?: ReactNode
  look?: Look
  isWide?: boolean
  /** For forms of a page of their own, with more than texts to type. */
  isRoomy?: boolean
  /** As wide as what it is in. */
  isFull?: boolean
  /** What the form holds beside its fields, such as the order of rows. */
  held?: unknown
  /**
   * Every form is asked about before it is left: false for one whose content may be lost, `useUnsaved` for one that says
   * itself what is saved.
   */
  unsaved?: Unsaved | false
  /** For a form whose content is kept when its page is loaded anew; `unsaved` has one of its own. */
  draft?: DraftOf | undefined
  children?: ReactNode
}

/** `isPlaced`: a field of the form shows it. */
type Shown = Problem & { isPlaced: boolean }
type FormState = { fields: Fields; id: string }

/** Fields find their problems here. */
export const FormContext = createContext<FormState>({ fields: {}, id: '' })

/** One way to change things: it sends once at a time, and shows every refusal where it belongs. */
export function Form({
  onSubmit,
  onSent,
  submit,
  beside,
  look = 'primary',
  isWide = false,
  isRoomy = false,
  isFull = false,
  held,
  unsaved,
  draft,
  children,
}: FormProps): ReactNode {
  const id = useId()
  const own = useUnsaved({ held, isAsked: unsaved === undefined, draft })
  const { form: element, listeners, draft: kept } = unsaved || own
  const [problem, setProblem] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const state = useMemo(() => ({ fields: problem?.fields ?? {}, id }), [problem, id])
  const send = async (form: HTMLFormElement): Promise<void> => {
    const sent = new FormData(form)
    setBusy(true)
    setProblem(null)
    try {
      await own.send(() => onSubmit((name) => textOf(sent.get(name)), sent)).then(onSent)
    } catch (error) {
      const found = problemOf(error)
      const [first] = fieldsOf(form, found.fields)
      setProblem({ ...found, isPlaced: first !== undefined })
      // The focus goes to the first field with a problem.
      first?.focus()
    } finally {
      setBusy(false)
    }
  }
  const onSend = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!isBusy) void send(event.currentTarget)
  }
  return (
    <FormContext value={state}>
      <form
        ref={element}
        {...listeners}
        onSubmit={onSend}
        noValidate
        className={`flex flex-col gap-4 ${isWide || isFull ? '' : isRoomy ? 'max-w-2xl' : 'max-w-md'}`}
      >
        {problem?.isPlaced === false && <Notice tone="bad">{problem.message}</Notice>}
        <Restored of={kept}>{children}</Restored>
        <div className={`flex flex-wrap items-center gap-2 ${isWide ? 'flex-col' : ''}`}>
          <Button type="submit" look={look} isBusy={isBusy} isWide={isWide}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
    </FormContext>
  )
}

/** The id of a field of the form around, and what is wrong with it. */
export function useField(name: string): { id: string; problem: string | null } {
  const { fields, id } = use(FormContext)
  return { id: `${id}-${name}`, problem: fields[name]?.join(' ') ?? null }
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : ''
}

function fieldsOf(form: HTMLFormElement, fields: Fields): HTMLElement[] {
  const elements = Object.keys(fields).map((name) => chosenOf(form.elements.namedItem(name)))
  return elements.filter((element) => element instanceof HTMLElement)
}

/** The chosen one of several radio buttons. */
function chosenOf(found: Element | RadioNodeList | null): Node | null {
  if (!(found instanceof RadioNodeList)) return found
  return [...found].find((node) => node instanceof HTMLInputElement && node.type === 'radio' && node.checked) ?? null
}
