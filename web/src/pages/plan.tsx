import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountRecord, MonitorRecord } from '../api/console.ts'
import type { PlanTermsRecord } from '../api/money.ts'
import { useMoney } from '../money.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { dollars } from '../parts/money.ts'
import { PageHead, Section, linkClass } from '../parts/page.tsx'
import { useRead, useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'
import { Renewals } from './renewals.tsx'

export function PlanPage(): ReactNode {
  return (
    <ForOwners title="Plan and usage">
      <Plan />
    </ForOwners>
  )
}

function Plan(): ReactNode {
  const { workspace } = useWorkspace()
  const money = useMoney()
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { data: terms } = useRead('plan terms', { read: () => money.readPlanTerms() })
  const { data: monitors } = useRead('paid monitors', { read: (api) => api.listMonitors() })
  return (
    <>
      <PageHead title="Plan and usage" lead={`Of the workspace ${workspace.name}.`} />
      <Usage account={account} terms={terms} />
      <Section
        title="Credit"
        lead={`${dollars(account.credit_cents)} are left.`}
        action={<ButtonLink to="/settings/credit">Top up</ButtonLink>}
      />
      <Renewals account={account} monitors={monitors.filter(isMonthly)} lifelong={monitors.filter(isLifelong).length} />
      <Section
        title="Paid for without an account?"
        lead={
          <>
            What was paid for that way has a key.{' '}
            <Link to="/settings/take-over" className={linkClass}>
              Take it over
            </Link>{' '}
            with it.
          </>
        }
      />
    </>
  )
}

function isMonthly({ billing, billing_period: period }: MonitorRecord): boolean {
  return billing === 'paid' && period === 'monthly'
}

function isLifelong({ billing, billing_period: period }: MonitorRecord): boolean {
  return billing === 'paid' && period === 'lifetime'
}

function Usage({ account, terms }: { account: AccountRecord; terms: PlanTermsRecord }): ReactNode {
  const { plan, paid_monitors: paid, pricing } = account
  const { limit, used, free } = account.plan_monitors
  return (
    <Section title={`Plan: ${plan.replaceAll('_', ' ')}`}>
      <div className="flex flex-col gap-4">
        {limit > 0 && (
          <div>
            <p id="slots" className="mb-1.5 text-sm">
              {used} of {limit} slots used{free === 0 && ': further monitors are paid for'}
            </p>
            <progress aria-labelledby="slots" max={limit} value={Math.min(used, limit)} className="slots" />
          </div>
        )}
        <Facts>
          <Fact term="In a slot">
            {limit === 0
              ? 'none: every monitor is paid for'
              : `free, checked at most every ${durationOf(terms.minimum_interval_seconds)}`}
          </Fact>
          <Fact term="Others">
            {dollars(pricing.price_per_location_cents)} per location for {pricing.renewal_days} days, or{' '}
            {dollars(pricing.lifetime_price_per_location_cents)} once, VAT included
          </Fact>
          <Fact term="Paid for">
            {paid} of at most {terms.maximum_paid_monitors.toLocaleString('en')} monitors
          </Fact>
          <Fact term="Contacts">{terms.contact_kinds === null ? 'of every kind' : terms.contact_kinds.join(', ')}</Fact>
          <Fact term="Failures by the day">kept for {terms.problem_days} days</Fact>
          <Fact term="Vulnerability alerts">{terms.vulnerability_alerts ? 'included' : 'not included'}</Fact>
          <Fact term="Private repositories">{terms.private_repositories ? 'included' : 'not included'}</Fact>
        </Facts>
      </div>
    </Section>
  )
}

function durationOf(seconds: number): string {
  if (seconds % 60 !== 0) return `${seconds} seconds`
  return seconds === 60 ? 'minute' : `${seconds / 60} minutes`
}
