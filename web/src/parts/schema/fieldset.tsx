import type { ChangeEvent, ReactNode } from 'react'
import { Words, described } from '../form/field.tsx'
import { useField } from '../form/form.tsx'

type FieldsetProps = { name: string; legend: string; hint?: string | undefined; children: ReactNode }

/** Several inputs that are one field of the service's: what is wrong with it stands below them. */
export function Fieldset({ name, legend, hint, children }: FieldsetProps): ReactNode {
  const { id, problem } = useField(name)
  return (
    <fieldset
      name={name}
      aria-describedby={described({ id, hint, problem })['aria-describedby']}
      className="flex min-w-0 flex-col gap-1"
    >
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {children}
      <Words {...{ id, hint, problem }} />
    </fieldset>
  )
}

type CheckProps = {
  name: string
  label: ReactNode
  value?: string
  defaultChecked?: boolean
  type?: 'checkbox' | 'radio'
  hint?: string | undefined
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A box to tick, with its words beside it. */
export function CheckField({ name, label, hint, type = 'checkbox', ...given }: CheckProps): ReactNode {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
      <input {...given} type={type} name={name} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint !== undefined && <span className="block text-muted">{hint}</span>}
      </span>
    </label>
  )
}

export const inputClass =
  'w-full min-w-0 min-h-9 rounded-lg border border-edge bg-surface px-3 py-1.5 text-text placeholder:text-muted'

/** Its button looks as others do. */
export const fileClass =
  'w-full min-w-0 text-sm font-normal text-muted file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-lg file:border file:border-solid file:border-edge/60 file:bg-surface file:px-3.5 file:font-medium file:text-text hover:file:bg-sunken'
