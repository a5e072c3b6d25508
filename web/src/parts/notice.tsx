import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

const tones: Readonly<Record<Tone, string>> = {
  plain: 'bg-sunken text-text',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}

/** Something to know; what is bad is read out at once. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={noticeClass(tone)}>
      {children}
    </div>
  )
}

/** For what looks like a notice, and stands where it is read out already. */
export function noticeClass(tone: Tone): string {
  return `rounded-lg px-3.5 py-2.5 text-sm ${tones[tone]}`
}
