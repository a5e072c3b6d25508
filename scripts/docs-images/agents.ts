// Agents that asked to be let in: one that was, and one whose person looks at the claim page.
import { z } from 'zod'
import { before, jonas, mara, publicUrl } from './company.ts'
import type { Entry } from './diary.ts'
import type { As } from './person.ts'
import type { Service } from './service.ts'

const waitMs = 20_000
const claimSchema = z.object({ claim: z.object({ verification_uri: z.url(), user_code: z.string() }) })

export function agentEntries({ url }: Service, as: As, onAsked: (link: string) => void): Entry[] {
  const register = async (email: string): Promise<{ link: URL; code: string }> => {
    const answer = await fetch(`${url}/agent/identity`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.4' },
      body: JSON.stringify({ type: 'service_auth', login_hint: email }),
      signal: AbortSignal.timeout(waitMs),
    })
    const { claim } = claimSchema.parse(await answer.json())
    return { link: new URL(claim.verification_uri), code: claim.user_code }
  }
  return [
    {
      at: before({ days: 8 }),
      what: 'An agent is let in',
      happens: async () => {
        const { link, code } = await register(jonas)
        const body = { claim_attempt_token: link.searchParams.get('claim_attempt_token'), user_code: code }
        await (await as(jonas)).call('POST', '/claim-attempt/complete', body)
      },
    },
    {
      at: before({ minutes: 1 }),
      what: 'An agent asks to be let in',
      happens: async () => {
        const { link } = await register(mara)
        if (link.origin !== publicUrl) throw new Error(`The link leads to ${link.origin}.`)
        onAsked(link.pathname + link.search)
      },
    },
  ]
}
