import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { instantIn, localIn } from '../../parts/zone-time.ts'
import { type Chosen, hourMs } from './chart-range.ts'

type RangeFormProps = { range: Chosen; onChoose: (range: Chosen) => void }

/** A time of the reader's own choice, in the zone of the reader's clock. */
export function RangeForm({ range, onChoose }: RangeFormProps): ReactNode {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const [from, setFrom] = useState(localIn(zone, new Date(range.since)))
  const [to, setTo] = useState(localIn(zone, new Date(range.until)))
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const [since, until] = [instantIn(zone, from), instantIn(zone, to)]
    const found = problemOf(since, until)
    setProblem(found)
    if (found === null && since !== null && until !== null)
      onChoose({ since: since.toISOString(), until: until.toISOString() })
  }
  const said = problem === null ? {} : { 'aria-describedby': problemId, 'aria-invalid': true }
  return (
    <form onSubmit={submit} aria-label={t`Custom range`} className="mb-4 flex flex-wrap items-end gap-3 text-sm">
      <Moment label={t`From`} value={from} onChange={setFrom} {...said} />
      <Moment label={t`To`} value={to} onChange={setTo} {...said} />
      <Button type="submit">
        <Trans>Show this time</Trans>
      </Button>
      {problem !== null && (
        <p id={problemId} role="alert" className="basis-full text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}

const longestMs = 366 * 24 * hourMs

function problemOf(since: Date | null, until: Date | null): string | null {
  if (since === null || until === null) return t`Both times are needed.`
  if (until <= since) return t`The end must be later than the start.`
  if (until.getTime() - since.getTime() > longestMs) return t`The chart shows at most 366 days.`
  return since.getTime() > Date.now() ? t`The start is in the future.` : null
}

type MomentProps = { label: string; value: string; onChange: (value: string) => void }

function Moment({ label, value, onChange, ...said }: MomentProps): ReactNode {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">{label}</span>
      <input
        type="datetime-local"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...said}
        className="rounded-lg border border-edge bg-surface px-3 py-1.5 tabular-nums"
      />
    </label>
  )
}
