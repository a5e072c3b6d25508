import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** A text to take along, such as a token that is shown once. */
export function CopyText({ text, label }: { text: string; label: string }): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="flex items-start gap-2">
      <code aria-label={label} className="min-w-0 grow rounded-lg bg-sunken px-3 py-2 font-mono text-sm break-all">
        {text}
      </code>
      <Button onClick={() => void copy().catch(() => setCopied(false))}>{isCopied ? 'Copied' : 'Copy'}</Button>
    </div>
  )
}
