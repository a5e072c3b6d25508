import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord, ParentProposal } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { useDraftPart } from '../../parts/drafts/draft-parts.ts'
import { isTexts } from '../../parts/drafts/draft-shape.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { MonitorPicker, useAllMonitors } from '../../parts/form/monitor-picker.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { useRead } from '../../session/workspace.tsx'
import { parentsKey, useMonitors } from '../../session/use-monitors.ts'

type ParentsProps = { name: string; record: MonitorRecord | null; held: readonly string[] }

/** The monitors that this one depends on: ticked, or taken from what is proposed. `record` is null for a new one. */
export function Parents({ name, record, held }: ParentsProps): ReactNode {
  const monitors = useAllMonitors().filter(({ id }) => id !== record?.id)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(held))
  const restore = (ids: unknown): void => {
    if (isTexts(ids)) setChosen(new Set(ids))
  }
  useDraftPart(name, { value: [...chosen], restore })
  const take = (id: string): void => setChosen(new Set([...chosen, id]))
  return (
    <Fieldset
      name={name}
      legend={t`Depends on`}
      hint={t`At most ten. While one of them is down, contacts that were alerted about it are not alerted about this one too.`}
    >
      {[...chosen].map((id) => (
        <input key={id} type="hidden" name={name} value={id} />
      ))}
      {record !== null && <Proposals id={record.id} chosen={chosen} onTake={take} />}
      <MonitorPicker label={t`Monitors to depend on`} monitors={monitors} chosen={chosen} onChange={setChosen} />
    </Fieldset>
  )
}

type ProposalsProps = { id: string; chosen: ReadonlySet<string>; onTake: (id: string) => void }

function Proposals({ id, chosen, onTake }: ProposalsProps): ReactNode {
  const monitors = useMonitors()
  const { data } = useRead(parentsKey(id), { read: () => monitors.listParentProposals(id) })
  const left = data.filter((proposal) => !chosen.has(proposal.id))
  if (left.length === 0) return null
  return (
    <ul aria-label={t`Proposals`} className="mb-2 flex flex-col gap-2">
      {left.map((proposal) => (
        <Proposal key={proposal.id} of={proposal} onTake={onTake} />
      ))}
    </ul>
  )
}

function Proposal({ of, onTake }: { of: ParentProposal; onTake: (id: string) => void }): ReactNode {
  const { id, name, evidence } = of
  return (
    <li className="flex flex-wrap items-start justify-between gap-2 rounded-lg border border-line px-3 py-2 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {name} <span className="block text-muted">{evidence.map((each) => evidenceText(each, name)).join(' ')}</span>
      </span>
      <Button onClick={() => onTake(id)}>{t`Depend on ${name}`}</Button>
    </li>
  )
}

function evidenceText(evidence: ParentProposal['evidence'][number], name: string): string {
  switch (evidence.type) {
    case 'host': {
      const { host } = evidence
      return t`Both check ${host}.`
    }
    case 'address': {
      const { address } = evidence
      return t`Both were reached at ${address}.`
    }
    case 'certificate': {
      const { issuer } = evidence
      return t`Both see the same certificate, by ${issuer}.`
    }
    case 'outages': {
      const { together, total } = evidence
      return plural(total, {
        one: `${together} of its # outages of the last 90 days began while ${name} was down, or within 2 minutes of that.`,
        other: `${together} of its # outages of the last 90 days began while ${name} was down, or within 2 minutes of that.`,
      })
    }
  }
}

/** What it depends on and what depends on it; nothing where there is neither. */
export function Dependencies({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const all = useAllMonitors()
  const parents = all.filter(({ id }) => monitor.depends_on.includes(id))
  const children = all.filter(({ depends_on: ids }) => ids.includes(monitor.id))
  if (parents.length + children.length === 0) return null
  return (
    <Section title={t`Dependencies`}>
      <Facts>
        {parents.length > 0 && (
          <Fact term={t`Depends on`}>
            <Linked monitors={parents} />
          </Fact>
        )}
        {children.length > 0 && (
          <Fact term={t`Monitors that depend on it`}>
            <Linked monitors={children} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

const mostLinked = 50

function Linked({ monitors }: { monitors: readonly MonitorRecord[] }): ReactNode {
  const others = monitors.length - mostLinked
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      {monitors.slice(0, mostLinked).map(({ id, name }) => (
        <Link key={id} to="/monitors/$id" params={{ id }} className={linkClass}>
          {name}
        </Link>
      ))}
      {others > 0 && <span>{plural(others, { one: 'and # more', other: 'and # more' })}</span>}
    </span>
  )
}
