import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { useMatches } from './use-matches.ts'

type CopyProps = {
  text: string
  label: string
  /** Of a text of many lines, which is scrolled. */
  rows?: number
  /** Whether the label is seen where the text is cut, which tells several texts with one beginning apart. */
  isNamed?: boolean
}

/**
 * A text to take along, such as a token that is shown once. On a phone it is one line, in a field that scrolls and that
 * the keyboard reaches, so that the button stands beside it however long the text is.
 */
export function CopyText({ text, label, rows, isNamed = false }: CopyProps): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const isNarrow = useMatches(narrowQuery)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  const button = (
    <Button onClick={() => void copy().catch(() => setCopied(false))}>{isCopied ? t`Copied` : t`Copy`}</Button>
  )
  if (rows !== undefined)
    return (
      <div className="flex flex-col items-start gap-2">
        <textarea
          readOnly
          aria-label={label}
          rows={rows}
          wrap="off"
          spellCheck={false}
          value={text}
          className="w-full resize-none rounded-lg bg-sunken px-3 py-2 font-mono text-xs"
        />
        {button}
      </div>
    )
  return (
    <div className="flex items-end gap-2 sm:items-start">
      {isNarrow ? (
        <label className="flex min-w-0 grow flex-col gap-1 text-xs text-muted">
          <span className={isNamed ? '' : 'sr-only'}>{label}</span>
          <input readOnly spellCheck={false} value={text} className={`${boxClass} text-text`} />
        </label>
      ) : (
        <code aria-label={label} className={`${boxClass} wrap-anywhere`}>
          {text}
        </code>
      )}
      {button}
    </div>
  )
}

const boxClass = 'min-w-0 grow rounded-lg bg-sunken px-3 py-2 font-mono text-sm'

/** Below Tailwind's `sm`. */
const narrowQuery = '(width < 40rem)'
