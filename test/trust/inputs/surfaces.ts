// Addresses beside the API: those of agents, of jobs that call, of readers, of mails and of signing in.
import { assertionGrant, claimGrant } from '#core/people/agent.ts'
import { damaged, harmed, hostileTexts } from './damage.ts'
import { leakIn } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { type Asked, inputClasses } from './requests.ts'
import type { Sent } from './send.ts'
import type { Subject } from './try.ts'
import type { World } from './world.ts'

type Surface = {
  method?: 'GET' | 'POST'
  /** Below the root; `*` is a text of strangers. */
  path: string
  form?: Readonly<Record<string, string>>
  json?: unknown
}

const jwt = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"a","exp":1e308}').toString('base64url')}.`

/** Of jobs and of other systems. */
const calls = ['/ping/*', '/ping/*/fail', '/ping/*/*/*', '/api/push/*?status=up&msg=*&ping=*']

const surfaces: readonly Surface[] = [
  { method: 'POST', path: '/oauth2/token', form: { grant_type: assertionGrant, assertion: jwt } },
  { method: 'POST', path: '/oauth2/token', form: { grant_type: claimGrant, claim_token: 'x' } },
  { method: 'POST', path: '/oauth2/revoke', form: { token: 'x' } },
  { method: 'POST', path: '/agent/identity', json: { type: 'anonymous' } },
  { method: 'POST', path: '/agent/identity', json: { type: 'service_auth', login_hint: 'a@example.com' } },
  {
    method: 'POST',
    path: '/agent/identity',
    json: { type: 'identity_assertion', assertion_type: 'x', assertion: jwt },
  },
  { method: 'POST', path: '/agent/identity/claim', json: { claim_token: 'x' } },
  ...[
    'jwks.json',
    'perigee-signing-keys',
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
    '*',
  ].map((name) => ({ path: `/.well-known/${name}` })),
  ...calls.map((path): Surface => ({ path })),
  ...calls.map((path): Surface => ({ path, method: 'POST', json: { status: 'ok' } })),
  ...['', '.json', '/feed', '/badge.svg', '/incidents/*', '/images/*', '?language=*', '/history'].map((end) => ({
    path: `/status/{slug}${end}`,
  })),
  { path: '/status/*' },
  {
    method: 'POST',
    path: '/status/{slug}/subscribe',
    form: { email: 'reader@example.com', language: 'en', time_zone: 'UTC' },
  },
  { method: 'POST', path: '/status/{slug}/password', form: { password: 'x' } },
  { path: '/status-domain?domain=*' },
  { path: '/status-assets/*' },
  { path: '/on-call/*.ics' },
  { path: '/contacts/confirm/*' },
  { method: 'POST', path: '/contacts/confirm/*', form: {} },
  { path: '/contacts/unsubscribe/*/*' },
  { path: '/report-mail/unsubscribe/*/*/*' },
  { path: '/incidents/acknowledge/*' },
  { method: 'POST', path: '/incidents/acknowledge/*', form: { token: 'x' } },
  { path: '/screen/*' },
  { path: '/reference' },
  { path: '/openapi.json' },
  { path: '/openapi.md' },
  { path: '/errors' },
  { path: '/metrics' },
  { path: '/operator/status' },
  { path: '/healthz' },
  { path: '/console/settings.json' },
  { path: '/console/assets/*' },
  { path: '/*' },
  { method: 'POST', path: '/auth/sign-in/email', json: { email: 'a@example.com', password: 'wrong' } },
  {
    method: 'POST',
    path: '/auth/sign-up/email',
    json: { email: 'a@example.com', password: 'correct horse', name: 'A' },
  },
  { method: 'POST', path: '/auth/sign-in/magic-link', json: { email: 'a@example.com' } },
  { method: 'POST', path: '/auth/request-password-reset', json: { email: 'a@example.com' } },
  { method: 'POST', path: '/auth/reset-password', json: { token: 'x', newPassword: 'correct horse' } },
  { method: 'POST', path: '/auth/two-factor/verify-totp', json: { code: '123456' } },
  {
    method: 'POST',
    path: '/auth/passkey/verify-authentication',
    json: { response: { id: 'x', rawId: 'x', type: 'public-key' } },
  },
  { method: 'POST', path: '/auth/update-user', json: { name: 'Guest' } },
  { method: 'POST', path: '/auth/change-email', json: { newEmail: 'b@example.com' } },
  { method: 'POST', path: '/auth/invitation', json: { token: 'x' } },
  {
    method: 'POST',
    path: '/auth/set-up',
    json: { token: 'x', email: 'a@example.com', name: 'A', password: 'correct horse' },
  },
  { path: '/auth/verify-email?token=*' },
  { path: '/auth/magic-link/verify?token=*' },
  { path: '/auth/get-session' },
]

/** They show examples of what is secret elsewhere. */
const documents: ReadonlySet<string> = new Set(['/reference', '/openapi.json', '/openapi.md'])

export function surfaceSubjects(world: World, seed: number): Subject[] {
  return surfaces.map((surface, index): Subject => {
    const { method = 'GET', path } = surface
    const name = `${method} ${path.replaceAll(':', '.')} ${index}`
    return {
      name,
      draw: (at) => askedOf(surface, world, { random: randomOf(seed, name, at), at }),
      judge: ({ input }, answer) => {
        if ('broken' in answer) return input === 'hostile' ? null : `${name} did not answer: ${answer.broken}`
        const said = `${name} answered ${answer.status}`
        const leak = leakIn(answer.text, world.secrets)
        if (leak !== null && !documents.has(path)) return `${said} and ${leak}`
        return answer.status >= 500 && answer.status !== 503 ? `${said}: ${answer.text.slice(0, 300)}` : null
      },
    }
  })
}

type Drawn = { random: Random; at: number }

function askedOf({ method = 'GET', path, form, json }: Surface, world: World, { random, at }: Drawn): Asked {
  const input = inputClasses[at % inputClasses.length] ?? 'valid'
  const slug = world.slugs.length === 0 ? 'none' : random.pick(world.slugs)
  const stranger = (): string => encodeURIComponent(strangerText(random).toWellFormed().slice(0, 500))
  const sent: Sent = {
    method,
    path: path.replace('{slug}', slug).replaceAll('*', () => stranger() || 'x'),
    headers: {
      ...(random.chance(0.5) ? world.guest.headers : {}),
      Origin: world.origin,
      'X-Forwarded-For': `10.9.${random.below(250)}.${random.below(250)}`,
    },
    body: null,
  }
  const filled = withBody(sent, { form, json, random, isOff: input === 'nearly valid' })
  return { sent: input === 'hostile' ? harmed(filled, random) : filled, caller: world.guest, input, ids: [] }
}

function strangerText(random: Random): string {
  return random.pick([...hostileTexts, jwt, '7b0d3c52-5f0e-4f5c-8c55-0b8f3c9a1d20', 'a'.repeat(43), '0-'.repeat(30)])
}

type Body = { form: Surface['form']; json: unknown; random: Random; isOff: boolean }

function withBody(sent: Sent, { form, json, random, isOff }: Body): Sent {
  if (form !== undefined) {
    const pairs = Object.entries(form).map(([name, value]): [string, string] => [
      name,
      isOff ? strangerText(random) : value,
    ])
    const body = new URLSearchParams(isOff && random.chance(0.2) ? [...pairs, ...pairs] : pairs).toString()
    return { ...sent, headers: { ...sent.headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body }
  }
  if (json === undefined) return sent
  const body = JSON.stringify(isOff ? damaged(json, random).body : json) ?? ''
  return { ...sent, headers: { ...sent.headers, 'Content-Type': 'application/json' }, body }
}
