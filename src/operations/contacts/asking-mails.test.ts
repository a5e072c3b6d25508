import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { insertPerson } from '#store/people/people.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { refusalOf } from '../../../test/support/monitors.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'

type Strangers = { workspaceId: string; token: string; address: string }

describe('a workspace that nobody answers for', async () => {
  const receiver = await startReceiver()
  const api = await testApi({ services: { carriers: testCarriers({}), isForbiddenAddress: () => false } })
  let hosts = 0
  const stranger = async (address = `203.0.113.${(hosts += 1)}`): Promise<Strangers> => ({
    ...(await api.addWorkspace('pay_as_you_go')),
    address,
  })
  const add = ({ token, address }: Strangers, kind = 'email'): Promise<Answer> => {
    const destination = kind === 'email' ? `${randomUUID()}@example.com` : receiver.url
    return api.post('/alert-channels', { name: 'On call', kind, destination }, { token, address })
  }
  const addAll = async (workspace: Strangers, count: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let mail = 0; mail < count; mail += 1) statuses.push((await add(workspace)).status)
    return statuses
  }

  it('asks three mailboxes a day, and is told when it may ask another', async () => {
    const workspace = await stranger()
    assert.deepEqual(await addAll(workspace, 3), [201, 201, 201])
    const refused = await add(workspace)
    assert.deepEqual(refusalOf(refused), [429, 'rate_limited'])
    assert.match(
      refused.text,
      /This workspace, which no person has claimed and nobody paid for, had 3 confirmation mails/,
    )
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 86_000 && seconds <= 86_400, `${seconds} s`)
    assert.equal((await add(workspace, 'webhook')).status, 201)
  })

  it('is still one after a payment of the sandbox, and none after a real one', async () => {
    const workspace = await stranger()
    await addPayment(api.database, { workspaceId: workspace.workspaceId, livemode: false })
    assert.deepEqual(await addAll(workspace, 4), [201, 201, 201, 429])
    await addPayment(api.database, { workspaceId: workspace.workspaceId, livemode: true })
    assert.deepEqual(await addAll(workspace, 4), [201, 201, 201, 201])
  })

  it('is none once a person has it', async () => {
    const workspace = await stranger()
    const at = new Date()
    const email = 'owner@example.com'
    const personId = await api.database.transaction((tx) =>
      insertPerson(tx, { email, name: 'Owner', passwordHash: 'x', at }),
    )
    await api.database.pool.query(
      `insert into members (workspace_id, person_id, role, joined_at) values ($1, $2, 'owner', $3)`,
      [workspace.workspaceId, personId, at],
    )
    assert.deepEqual(await addAll(workspace, 4), [201, 201, 201, 201])
  })

  it('has few with all that are used from its address, and takes none from others', async () => {
    const address = '198.51.100.7'
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push(...(await addAll(await stranger(address), 3)))
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), 429, 429])
    const refused = await add(await stranger(address))
    assert.match(refused.text, /From your network, .* had 10 confirmation mails within a day/)
    assert.equal((await add(await stranger())).status, 201)
  })

  it('sends no test alerts', async () => {
    const workspace = await stranger()
    const { id } = Object(Object((await add(workspace, 'webhook')).body).data)
    const sent = { token: workspace.token }
    assert.deepEqual(refusalOf(await api.post(`/alert-channels/${id}/test`, undefined, sent)), [422, 'claim_required'])
    assert.equal(receiver.received.length, 0)
    await addPayment(api.database, { workspaceId: workspace.workspaceId, livemode: true })
    assert.equal((await api.post(`/alert-channels/${id}/test`, undefined, sent)).status, 200)
  })
})
