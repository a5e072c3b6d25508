import { z } from 'zod'
import { isDomainName } from '#core/language/domain-name.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { askThrough } from '#kinds/dns/ask-dns.ts'
import { auditDkim, type DkimReport } from './dkim.ts'
import { auditDmarc, dmarcPolicies, type DmarcPolicy, type DmarcReport } from './dmarc.ts'
import { domainTarget, domainTargetProblem } from '#kinds/dns/domain-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { readable } from '#kinds/readable.ts'
import { auditSpf, type AuthProblem, type SpfReport } from './spf.ts'

const maxSelectors = 10

const options = z
  .strictObject({
    dkim_selectors: z
      .array(z.string().max(190).refine(isDomainName, 'Must be a DKIM selector, such as s1 or 2026.mail.'))
      .max(maxSelectors)
      .default([])
      .describe('Selectors of the DKIM keys that must be published. Without any, DKIM is not looked at.'),
    dmarc_policy: z
      .enum(dmarcPolicies)
      .default('none')
      .describe('The weakest DMARC policy that passes. Default none; even then there has to be a record.'),
  })
  .describe("The DNS records by which receivers of a domain's mail tell it from forgeries: SPF, DKIM and DMARC.")
type EmailAuthOptions = z.infer<typeof options>

type EmailAuthObservation = { spf: SpfReport; dkim: DkimReport[]; dmarc: DmarcReport; latencyMs: number }

/** What receivers of a domain's mail go by: SPF, DKIM keys and DMARC. */
export const emailAuth = defineKind<EmailAuthOptions, EmailAuthObservation>({
  name: 'email_auth',
  options,
  secretOptions: [],
  targetProblem: domainTargetProblem,
  observe: async ({ url, timeoutMs, options: { dkim_selectors: selectors } }, net, signal) => {
    const startedAt = performance.now()
    const domain = domainTarget(url)
    const ask = askThrough(net, timeoutMs, signal)
    const [spf, dmarc, dkim] = await Promise.all([
      auditSpf(domain, ask),
      auditDmarc(domain, ask),
      Promise.all([...new Set(selectors)].map((selector) => auditDkim(selector, domain, ask))),
    ])
    return { spf, dmarc, dkim, latencyMs: Math.round(performance.now() - startedAt) }
  },
  judge: judgeEmailAuth,
})

function judgeEmailAuth(observation: EmailAuthObservation, check: Pick<Check<EmailAuthOptions>, 'options'>): Verdict {
  const { spf, dkim, dmarc, latencyMs } = observation
  const problems = [
    spf.problem,
    ...dkim.map(({ problem }) => problem),
    policyProblem(dmarc, check.options.dmarc_policy) ?? dmarc.problem,
  ].filter((problem) => problem !== null)
  const isDown = problems.some(({ severity }) => severity === 'down')
  const told = problems.filter(({ severity }) => severity === 'down' || !isDown)
  return {
    status: isDown ? 'down' : problems.length > 0 ? 'degraded' : 'up',
    statusCode: null,
    latencyMs,
    error: told.length === 0 ? null : told.map(({ text }) => readable(text, 240)).join('; '),
    phases: { ...noPhases, dnsMs: latencyMs },
    details: detailsOf(observation),
  }
}

function policyProblem({ policy }: DmarcReport, wanted: DmarcPolicy): AuthProblem | null {
  if (policy === null || dmarcPolicies.indexOf(policy) >= dmarcPolicies.indexOf(wanted)) return null
  return { severity: 'down', text: `DMARC policy ${policy} is weaker than ${wanted}` }
}

function detailsOf({ spf, dkim, dmarc }: EmailAuthObservation): Record<string, unknown> {
  const keys = dkim.filter(({ key }) => key !== null)
  return {
    spf: spf.record === null ? null : readable(spf.record, 500),
    spf_lookups: spf.lookups,
    dkim: Object.fromEntries(dkim.map(({ selector, key }) => [selector, key !== null])),
    ...(keys.length === 0
      ? {}
      : { dkim_keys: Object.fromEntries(keys.map(({ selector, key }) => [selector, `${key?.type} ${key?.bits}`])) }),
    dmarc_policy: dmarc.policy,
    ...(dmarc.source === null ? {} : { dmarc_source: dmarc.source }),
  }
}
