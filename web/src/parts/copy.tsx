import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

type CopyProps = { text: string; label: string; /** Of a text of many lines, which is scrolled. */ rows?: number }

/** A text to take along, such as a token that is shown once. */
export function CopyText({ text, label, rows }: CopyProps): ReactNode {
  const [isCopied, setCopied] = useState(false)
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
    <div className="flex items-start gap-2 max-sm:flex-col">
      <code
        aria-label={label}
        className="min-w-0 grow rounded-lg bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere max-sm:w-full"
      >
        {text}
      </code>
      {button}
    </div>
  )
}
