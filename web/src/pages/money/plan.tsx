import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountRecord, MonitorRecord } from '../../api/console.ts'
import type { PlanTermsRecord } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { listed, numberText } from '../../parts/language.ts'
import { dollars } from '../../parts/money.ts'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { intervalText } from '../monitor/details.ts'
import { useHasPayments } from '../../session/session.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'
import { Renewals } from './renewals.tsx'

export function PlanPage(): ReactNode {
  return (
    <ForOwners title={t`Plan and usage`}>
      <Plan />
    </ForOwners>
  )
}

function Plan(): ReactNode {
  const { name } = useWorkspace().workspace
  const money = useMoney()
  const hasPayments = useHasPayments()
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { data: terms } = useRead('plan terms', { read: () => money.readPlanTerms() })
  return (
    <>
      <PageHead title={t`Plan and usage`} lead={t`Of the workspace ${name}.`} />
      <Usage account={account} terms={terms} />
      {hasPayments && <Paying account={account} />}
    </>
  )
}

/** What is paid for beyond the plan. */
function Paying({ account }: { account: AccountRecord }): ReactNode {
  const { data: monitors } = useRead('paid monitors', { read: (api) => api.listMonitors() })
  const credit = dollars(account.credit_cents)
  return (
    <>
      <Section
        title={t`Credit`}
        lead={t`${credit} is left.`}
        action={
          <ButtonLink to="/settings/credit">
            <Trans>Top up</Trans>
          </ButtonLink>
        }
      />
      <Renewals account={account} monitors={monitors.filter(isMonthly)} lifelong={monitors.filter(isLifelong).length} />
      <Section
        title={t`Paid for without an account?`}
        lead={
          <Trans>
            Monitors that were paid for that way have a key.{' '}
            <Link to="/settings/take-over" className={linkClass}>
              Take them over
            </Link>{' '}
            with it.
          </Trans>
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

type UsageProps = { account: AccountRecord; terms: PlanTermsRecord }

function Usage({ account, terms }: UsageProps): ReactNode {
  const { limit, used, free } = account.plan_monitors
  const plan = account.plan.replaceAll('_', ' ')
  const hasPayments = useHasPayments()
  return (
    <Section title={t`Plan: ${plan}`}>
      <div className="flex flex-col gap-4">
        {limit > 0 && (
          <div>
            <p id="slots" className="mb-1.5 text-sm">
              {free === 0 && hasPayments ? (
                <Trans>
                  {used} of {limit} slots used: further monitors are paid for
                </Trans>
              ) : (
                <Trans>
                  {used} of {limit} slots used
                </Trans>
              )}
            </p>
            <progress aria-labelledby="slots" max={limit} value={Math.min(used, limit)} className="slots" />
          </div>
        )}
        <Facts>
          {hasPayments ? <Prices account={account} terms={terms} /> : <Pace terms={terms} />}
          <Limits terms={terms} />
        </Facts>
      </div>
    </Section>
  )
}

function Prices({ account, terms }: UsageProps): ReactNode {
  const { pricing, paid_monitors: paid } = account
  const price = dollars(pricing.price_per_location_cents)
  const lifelong = dollars(pricing.lifetime_price_per_location_cents)
  const most = numberText(terms.maximum_paid_monitors)
  const { renewal_days: days } = pricing
  return (
    <>
      <Fact term={t`In a slot`}>
        {account.plan_monitors.limit === 0
          ? t`none: every monitor is paid for`
          : slotText(terms.minimum_interval_seconds)}
      </Fact>
      <Fact term={t`Others`}>
        <Trans>
          {price} per location for {days} days, or {lifelong} once, VAT included
        </Trans>
      </Fact>
      <Fact term={t`Paid for`}>
        <Trans>
          {paid} of at most {most} monitors
        </Trans>
      </Fact>
    </>
  )
}

/** How often monitors may be checked. */
function Pace({ terms: { minimum_interval_seconds: seconds } }: Pick<UsageProps, 'terms'>): ReactNode {
  return <Fact term={t`Checked at most`}>{intervalText(seconds)}</Fact>
}

function Limits({ terms }: Pick<UsageProps, 'terms'>): ReactNode {
  const { contact_kinds: kinds, problem_days: kept } = terms
  return (
    <>
      <Fact term={t`Contacts`}>{kinds === null ? t`of every kind` : listed(kinds)}</Fact>
      <Fact term={t`Failures by the day`}>
        <Trans>kept for {kept} days</Trans>
      </Fact>
      <Fact term={t`Vulnerability alerts`}>{includedText(terms.vulnerability_alerts)}</Fact>
      <Fact term={t`Private repositories`}>{includedText(terms.private_repositories)}</Fact>
    </>
  )
}

function includedText(isIncluded: boolean): string {
  return isIncluded ? t`included` : t`not included`
}

function slotText(seconds: number): string {
  const minutes = seconds / 60
  if (!Number.isInteger(minutes))
    return plural(seconds, {
      one: 'free, checked at most every # second',
      other: 'free, checked at most every # seconds',
    })
  return plural(minutes, {
    one: 'free, checked at most every minute',
    other: 'free, checked at most every # minutes',
  })
}
