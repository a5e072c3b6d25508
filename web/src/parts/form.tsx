import {
  type FormEvent,
  type FormHTMLAttributes,
  type ReactNode,
  type RefObject,
  createContext,
  use,
  useId,
  useMemo,
  useState,
} from 'react'
import type { Fields } from '../api/ask.ts'
import { Button, type Look } from './button.tsx'
import { Notice } from './notice.tsx'
import { type Problem, problemOf } from './problem.ts'

/** What was typed or chosen, by the fields' names. A field that was left out is "". */
export type Values = (name: string) => string

type FormProps = {
  /** Refusals that it throws are shown: at their fields, where the form has them. */
  onSubmit: (values: Values) => Promise<unknown>
  submit: ReactNode
  /** Beside the button, such as one that cancels. */
  beside?: ReactNode
  look?: Look
  isWide?: boolean
  /** For forms of a page of their own, with more than texts to type. */
  isRoomy?: boolean
  /** For forms that are asked about before they are left. */
  unsaved?: Unsaved
  children?: ReactNode
}

/** `isPlaced`: a field of the form shows it. */
type Shown = Problem & { isPlaced: boolean }
type FormState = { fields: Fields; id: string }

/** Fields find their problems here. */
export const FormContext = createContext<FormState>({ fields: {}, id: '' })

/** A form that is asked about before it is left; `useUnsaved` makes it. */
export type Unsaved = {
  form: RefObject<HTMLFormElement | null>
  /** For the form, so that it is seen what changes. */
  listeners: Pick<FormHTMLAttributes<HTMLFormElement>, 'onFocus' | 'onPointerDown' | 'onInput' | 'onChange'>
  /** Whether the form says something else than what is saved. */
  isChanged: boolean
  /** What it says is saved from here on, so that it can be left without a question. */
  settle: () => void
  /** The question before it is left, for the page to show. */
  question: ReactNode
}

/** One way to change things: it sends once at a time, and shows every refusal where it belongs. */
export function Form({
  onSubmit,
  submit,
  beside,
  look = 'primary',
  isWide = false,
  isRoomy = false,
  unsaved,
  children,
}: FormProps): ReactNode {
  const id = useId()
  const [problem, setProblem] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const state = useMemo(() => ({ fields: problem?.fields ?? {}, id }), [problem, id])
  const send = async (form: HTMLFormElement): Promise<void> => {
    const sent = new FormData(form)
    setBusy(true)
    setProblem(null)
    try {
      await onSubmit((name) => textOf(sent.get(name)))
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
        ref={unsaved?.form}
        {...unsaved?.listeners}
        onSubmit={onSend}
        noValidate
        className={`flex flex-col gap-4 ${isWide ? '' : isRoomy ? 'max-w-2xl' : 'max-w-md'}`}
      >
        {problem?.isPlaced === false && <Notice tone="bad">{problem.message}</Notice>}
        {children}
        <div className={`flex flex-wrap items-center gap-2 ${isWide ? 'flex-col' : ''}`}>
          <Button type="submit" look={look} isBusy={isBusy} isWide={isWide}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
      {unsaved?.question}
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
