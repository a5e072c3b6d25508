import { type ReactNode, Suspense, lazy } from 'react'

/** Loaded with the first text that is shown. */
const Written = lazy(() => import('./written.tsx'))

/** What a member wrote in Markdown: until its reader is there, the text itself, which can be read as well. */
export function Markdown({ text }: { text: string }): ReactNode {
  return (
    <div className="max-w-prose wrap-anywhere">
      <Suspense fallback={<p className="whitespace-pre-line">{text}</p>}>
        <Written text={text} />
      </Suspense>
    </div>
  )
}
