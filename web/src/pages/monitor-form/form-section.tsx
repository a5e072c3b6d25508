import type { ReactNode } from 'react'
import { Chevron } from '../../parts/icons.tsx'
import { Section } from '../../parts/page.tsx'
import { MonitorField } from './fields.tsx'
import { type FormOf, privateTarget } from './input.ts'
import type { FieldGroup } from './layout.ts'

type SectionProps = {
  group: FieldGroup
  of: FormOf
  /** What it says at the moment, for those who leave it folded. */
  gist: string | null
  /** Fields that the others leave without a meaning. */
  idle: ReadonlySet<string>
  /** The field of private targets. */
  children: ReactNode
}

/** Fields that belong together: the first ones stay open, others fold. */
export function FormSection({ group, of, gist, idle, children }: SectionProps): ReactNode {
  const { name: section, title, isOpen, names } = group
  const fields = (
    <div className="grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
      {names.map((name) => (
        <div key={name} hidden={idle.has(name)} className={`empty:hidden ${narrow.has(name) ? '' : 'sm:col-span-2'}`}>
          {name === privateTarget ? children : <MonitorField name={name} of={of} />}
        </div>
      ))}
    </div>
  )
  if (section === 'target' || section === 'when') return <Section title={title}>{fields}</Section>
  return (
    <details open={isOpen} className="group mb-4 rounded-xl border border-line bg-surface">
      <summary className="flex cursor-pointer items-center gap-3 px-5 py-3.5">
        <span className="shrink-0 font-semibold">{title}</span>
        <span className="min-w-0 grow truncate text-sm text-muted group-open:hidden">{gist}</span>
        <span className="ml-auto group-open:rotate-180">
          <Chevron />
        </span>
      </summary>
      <div className="px-5 pb-5">{fields}</div>
    </details>
  )
}

/** Short ones, of which two stand side by side. */
const narrow: ReadonlySet<string> = new Set([
  'interval_seconds',
  'heartbeat_grace_seconds',
  'check_options.json_path',
  'check_options.expected_value',
  'check_options.packets',
  'check_options.security',
  'check_options.edition',
  'check_options.record_type',
  'expected_status_min',
  'keyword',
  'timeout_ms',
  'confirmation_threshold',
  'failure_threshold',
  'retry_interval_seconds',
  'recovery_threshold',
])
