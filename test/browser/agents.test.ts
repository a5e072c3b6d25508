// The claim page, with the example agent on the other side.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, signUp, startConsole } from './support/console.ts'

const example = fileURLToPath(new URL('../../examples/agent.ts', import.meta.url))
const email = 'owner@example.com'
const codeLabel = 'Code that the agent shows'

describe('the claim page', async () => {
  const running: ChildProcess[] = []
  after(() => running.forEach((child) => child.kill('SIGKILL')))
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { origin, visitor, inspect, complaints } = service

  /** The example, and the link and the code that it shows. */
  async function agent(...args: string[]) {
    const child = spawn(process.execPath, [example, origin, ...args])
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
      await until(
        `${String(pattern)} of the agent`,
        async () => pattern.test(output) || child.exitCode !== null,
        60_000,
      )
      return pattern.exec(output) ?? assert.fail(output)
    }
    const [, link = '', code = ''] = await said(/open (\S+)\ntype (\d{6})/)
    return { child, said, link, code, wrong: code === '111111' ? '222222' : '111111' }
  }

  it('lets an anonymous agent in with its workspace, after signing in, until it is disconnected', async () => {
    const { child, said, link, code, wrong } = await agent('anonymous', email)
    const { page } = await visitor()
    await page.goto(link)
    await see(page, 'Sign in')
    await fill(page, { Email: email, Password: password })
    await press(page, 'Sign in')
    await see(page, /^Let .* in\?$/)
    await page.getByText('Nobody vouches for this agent').waitFor()
    await page.getByText('What the agent has made so far moves into your workspace').waitFor()
    await inspect(page, 'claim')
    await fill(page, { [codeLabel]: wrong })
    await press(page, 'Let it in')
    await page.getByText(/This is not the code that the agent shows/).waitFor()
    await page.getByText('4 tries are left.').waitFor()
    await inspect(page, 'claim, wrong code')
    await fill(page, { [codeLabel]: `${code.slice(0, 3)} ${code.slice(3)}` })
    await press(page, 'Let it in')
    await see(page, / is in$/)
    await inspect(page, 'claim, done')
    await said(/account \{"data":\{"plan":"pro"/)

    await page.goto(link)
    await see(page, 'This agent was let in before')
    await page.getByRole('link', { name: 'To your agents' }).click()
    await see(page, 'Agents')
    await page.getByRole('button', { name: /^Disconnect / }).waitFor()
    await inspect(page, 'agents')
    await page.getByRole('button', { name: /^Disconnect / }).click()
    await press(page, 'Disconnect')
    await page.getByText('None.').waitFor()
    await said(/the token has ended\ndisconnected/)
    await until('the agent to end', async () => child.exitCode !== null)
    assert.equal(child.exitCode, 0)
  })

  it('locks after five wrong codes', async () => {
    const { link, code, wrong } = await agent('service_auth', email)
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto(link)
    for (const left of ['4 tries are left.', '3 tries are left.', '2 tries are left.', 'One try is left.']) {
      await fill(page, { [codeLabel]: wrong })
      await press(page, 'Let it in')
      await page.getByText(left).waitFor()
    }
    await fill(page, { [codeLabel]: wrong })
    await press(page, 'Let it in')
    await see(page, 'This link is locked')
    await inspect(page, 'claim, locked')
    await page.reload()
    // The agent asks for another link as soon as it learns this, which ends the old one.
    await see(page, /^This link is (?:locked|over)$/)
    assert.notEqual(code, wrong)
  })

  it('tells somebody else nothing but that', async () => {
    const { link } = await agent('service_auth', email)
    const { page } = await visitor()
    await signUp(page, service, { email: 'somebody@example.com', name: 'Sam' })
    await page.goto(link)
    await see(page, 'This link is for somebody else')
    await inspect(page, 'claim, somebody else')
    await press(page, 'Sign in as somebody else')
    await see(page, 'Sign in')
    await fill(page, { Email: email, Password: password })
    await press(page, 'Sign in')
    await see(page, /^Let .* in\?$/)
  })

  it('knows no link that nobody made', async () => {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto('/claim?claim_attempt_token=clt_unknown')
    await see(page, 'This link is over')
    await inspect(page, 'claim, over')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
