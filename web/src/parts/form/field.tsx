import { t } from '@lingui/core/macro'
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useState } from 'react'
import { useField } from './form.tsx'

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'name' | 'type'>

type FieldProps = InputProps & {
  /** The name that the API uses, so that its refusals find their field. */
  name: string
  label: string
  hint?: string
}

type InputType = 'text' | 'email' | 'datetime-local' | 'date' | 'time'

const box =
  'w-full min-h-9 rounded-lg border bg-surface px-3 py-1.5 text-text placeholder:text-muted disabled:bg-sunken disabled:text-muted'

export function TextField({ type = 'text', ...props }: FieldProps & { type?: InputType }): ReactNode {
  const { frame, given } = useFrame(props)
  return (
    <Frame {...frame}>
      <input {...given} type={type} />
    </Frame>
  )
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id' | 'name'> &
  Pick<FieldProps, 'name' | 'label' | 'hint'> & { rows: number }

/** Several lines. */
export function AreaField({ name, label, hint, ...props }: AreaProps): ReactNode {
  const { id, problem } = useField(name)
  return (
    <Frame {...{ id, label, hint, problem }}>
      <textarea
        {...props}
        {...described({ id, hint, problem })}
        id={id}
        name={name}
        className={`${box} ${edgeOf(problem)}`}
      />
    </Frame>
  )
}

/** A button shows the password as it is typed. No draft keeps it: `data-secret` says so while it is shown. */
export function PasswordField(props: FieldProps): ReactNode {
  const { frame, given } = useFrame(props)
  const [isShown, setShown] = useState(false)
  return (
    <Frame {...frame}>
      <span className="relative block">
        <input {...given} data-secret="" type={isShown ? 'text' : 'password'} className={`${given.className} pr-16`} />
        <button
          type="button"
          aria-label={isShown ? t`Hide what was typed` : t`Show what was typed`}
          aria-describedby={labelIdOf(frame.id)}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 rounded-lg px-3 text-sm text-muted hover:text-text"
        >
          {isShown ? t`Hide` : t`Show`}
        </button>
      </span>
    </Frame>
  )
}

/** Six digits of an app or an agent. */
export function CodeField(props: FieldProps): ReactNode {
  const { frame, given } = useFrame(props)
  return (
    <Frame {...frame}>
      <input
        {...given}
        data-secret=""
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        className={`${given.className} max-w-48 font-mono text-xl tracking-[0.3em]`}
      />
    </Frame>
  )
}

type SelectFieldProps = {
  name: string
  label: string
  hint?: string
  defaultValue?: string
  onChange?: (value: string) => void
  options: readonly { value: string; label: string }[]
}

export function SelectField({ name, label, hint, defaultValue, onChange, options }: SelectFieldProps): ReactNode {
  const { id, problem } = useField(name)
  return (
    <Frame {...{ id, label, hint, problem }}>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        {...described({ id, hint, problem })}
        className={`${box} ${edgeOf(problem)}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

type Given = InputProps & { id: string; name: string; className: string }
type Framed = { frame: Told & { label: string }; given: Given }

function useFrame({ name, label, hint, ...props }: FieldProps): Framed {
  const { id, problem } = useField(name)
  const told = { id, hint, problem }
  const className = `${box} ${edgeOf(problem)}`
  return { frame: { ...told, label }, given: { ...props, ...described(told), id, name, className } }
}

type Told = { id: string; hint: string | undefined; problem: string | null }

function Frame({ id, label, hint, problem, children }: Told & { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} id={labelIdOf(id)} className="text-sm font-medium">
        {label}
      </label>
      {children}
      <Words {...{ id, hint, problem }} />
    </div>
  )
}

function labelIdOf(id: string): string {
  return `${id}-label`
}

/** The words below a field, where `described` finds them. */
export function Words({ id, hint, problem }: Told): ReactNode {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
    </>
  )
}

function edgeOf(problem: string | null): string {
  return problem === null ? 'border-edge' : 'border-bad'
}

export function described({ id, hint, problem }: Told): { 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const ids = [...(problem === null ? [] : [`${id}-problem`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  return {
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
    ...(problem === null ? {} : { 'aria-invalid': true }),
  }
}
