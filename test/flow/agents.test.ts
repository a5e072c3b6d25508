// The example agent against the real service: it registers in each way, is confirmed, works, and is disconnected.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readBlock } from '../support/agents.ts'
import { startIssuer } from '../support/issuer.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const example = fileURLToPath(new URL('../../examples/agent.ts', import.meta.url))
const email = 'owner@example.com'
const password = 'a password of the owner'

const workspacesSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid() })) })
const agentsSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid(), type: z.string() })) })

describe('the example agent', async () => {
  const running: ChildProcess[] = []
  after(() => running.forEach((child) => child.kill('SIGKILL')))
  const issuer = await startIssuer('')
  const perigee = serviceFolder().start({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_AGENT_ISSUERS: JSON.stringify([{ issuer: issuer.issuer, jwks_uri: issuer.jwksUri, name: 'Acme' }]),
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  const cookie = await signIn(url)
  let workspace = 'not known yet'
  workspace = workspacesSchema.parse(await ask('GET', '/workspaces')).data[0]?.id ?? assert.fail()

  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        Cookie: cookie,
        Origin: url,
        'X-Perigee-Workspace': workspace,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  function start(args: readonly string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [example, url, ...args], { env: { ...process.env, ...environment } })
    running.push(child)
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
      await until(
        `${String(pattern)} of the agent`,
        async () => pattern.test(output) || child.exitCode !== null,
        60_000,
      )
      return pattern.exec(output) ?? assert.fail(output)
    }
    return { child, said }
  }

  const ways: [string, () => Promise<{ args: string[]; environment?: Record<string, string> }>, RegExp][] = [
    ['service_auth', async () => ({ args: [email] }), /registered as reg_\w+ \(200\)/],
    ['anonymous', async () => ({ args: [email] }), /registered as reg_\w+ \(200\)[^]*"plan":"pay_as_you_go"/],
    [
      'identity_assertion',
      async () => {
        const claims = { aud: url, email }
        return { args: [email], environment: { ID_JAG: await issuer.assertion(new Date(), { claims }) } }
      },
      /registered as reg_\w+ \(401, interaction_required\)/,
    ],
  ]
  for (const [type, arrange, registered] of ways)
    it(`registers by ${type}, is confirmed, works, and ends when it is disconnected`, async () => {
      const { args, environment } = await arrange()
      const { child, said } = start([type, ...args], environment)
      await said(registered)
      const [, verification_uri, user_code] = await said(/open (\S+)\ntype (\d{6})/)
      const { attemptToken, userCode } = readBlock({ verification_uri, user_code })
      assert.ok(verification_uri?.startsWith(`${url}/claim?claim_attempt_token=`))
      const body = { claim_attempt_token: attemptToken, user_code: userCode }
      await ask('POST', '/claim-attempt/complete', body)
      await said(/account \{"data":\{"plan":"pro"/)
      const [agent] = agentsSchema.parse(await ask('GET', '/agents')).data
      assert.equal(agent?.type, type)
      await ask('DELETE', `/agents/${agent?.id ?? ''}`)
      await said(/the token has ended\ndisconnected/)
      await until('the agent to end', async () => child.exitCode !== null)
      assert.equal(child.exitCode, 0)
    })

  it('is let in at once, when its identity is linked', async () => {
    const assertion = async (): Promise<string> =>
      issuer.assertion(new Date(), { claims: { aud: url, email, sub: 'linked' } })
    const first = start(['identity_assertion', email], { ID_JAG: await assertion() })
    const [, verification_uri, user_code] = await first.said(/open (\S+)\ntype (\d{6})/)
    const { attemptToken, userCode } = readBlock({ verification_uri, user_code })
    await ask('POST', '/claim-attempt/complete', { claim_attempt_token: attemptToken, user_code: userCode })
    const second = start(['identity_assertion', email], { ID_JAG: await assertion() })
    await second.said(/registered as reg_\w+ \(200\)[^]*account \{"data":\{"plan":"pro"/)
  })
})

async function signIn(url: string): Promise<string> {
  const signedIn = await fetch(`${url}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(signedIn.status, 200, await signedIn.text())
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return cookies.join('; ')
}
