import type { ReactNode } from 'react'

type ChoiceProps<T extends string> = {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
}

/** One of a few, all of which are seen. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>): ReactNode {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex flex-wrap self-start rounded-lg border border-line p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="rounded-md px-2.5 py-1 text-sm text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-text"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
