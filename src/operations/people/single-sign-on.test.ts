import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { singleSignOnSchema, signInDomainSchema } from '#core/people/single-sign-on.ts'
import { createNet } from '#net/create-net.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { type Answer } from '../../../test/support/api.ts'
import { codeOf, peopleApi, statusesOf } from '../../../test/support/people.ts'

const read = z.object({ data: singleSignOnSchema })
const domainOf = ({ body }: Answer) => z.object({ data: signInDomainSchema }).parse(body).data
const provider = {
  name: 'Login',
  issuer: 'https://login.example.com',
  client_id: 'perigee',
  client_secret: 'topsecret',
}

describe('the identity provider of a workspace', async () => {
  const published = new Map<string, string[]>()
  const server = await dnsServer((name, type) => {
    const texts = published.get(name)
    if (name.endsWith('.broken.example')) return 'servfail'
    if (texts === undefined || type !== 'TXT') return 'nxdomain'
    return { records: texts.map((text) => ({ name, type: 'TXT', ttl: 60, data: text })) }
  })
  const net = createNet({ allowPrivate: 'none', dnsServers: [server.address] })
  const carriers = { net, sendMail: () => assert.fail('no mail') }
  const people = await peopleApi({ services: { carriers, isForbiddenAddress: (host) => host.startsWith('127.') } })
  const owner = await people.newcomer('owner@example.com')
  const as = ({ browser, workspaceId: workspace }: typeof owner) => ({
    call: (method: string, path: string, body?: unknown) =>
      browser.api(method, `/single-sign-on${path}`, { workspace, ...(body === undefined ? {} : { body }) }),
  })
  const { call } = as(owner)
  const state = async (who = owner) => read.parse((await as(who).call('GET', '')).body).data

  it('is none at first, and the address to come back to is known already', async () => {
    assert.deepEqual(await state(), {
      redirect_uri: `http://perigee.test/sign-in/provider/${owner.workspaceId}`,
      provider: null,
      domains: [],
    })
    assert.equal((await call('DELETE', '/provider')).status, 404)
  })

  it('is kept with its secret sealed and never shown', async () => {
    const made = await call('PUT', '/provider', { ...provider, group_roles: [{ group: 'sre', role: 'member' }] })
    assert.equal(made.status, 200, made.text)
    const shown = await state()
    assert.equal(shown.provider?.default_role, 'viewer')
    assert.deepEqual(shown.provider?.group_roles, [{ group: 'sre', role: 'member' }])
    assert.doesNotMatch(JSON.stringify([made.body, shown]), /topsecret/)
    const { rows } = await people.api.database.pool.query('select client_secret from identity_providers')
    assert.doesNotMatch(String(rows[0].client_secret), /topsecret/)
    const { text } = await owner.browser.api('GET', '/audit-entries', { workspace: owner.workspaceId })
    assert.match(text, /"action":"set_identity_provider"/)
    assert.doesNotMatch(text, /topsecret/)
  })

  it('keeps its secret for the same issuer and client alone', async () => {
    const { client_secret: _, ...rest } = provider
    assert.equal((await call('PUT', '/provider', { ...rest, name: 'Renamed' })).status, 200)
    for (const other of [{ issuer: 'https://evil.example' }, { client_id: 'other' }]) {
      const answer = await call('PUT', '/provider', { ...rest, ...other })
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'validation_failed'])
      assert.match(answer.text, /"client_secret":\["Is required for another issuer or client\."\]/)
    }
    assert.equal((await state()).provider?.name, 'Renamed')
  })

  it('is asked by https, and not at an address that may not be reached', async () => {
    for (const issuer of ['http://login.example.com', 'https://127.0.0.1/a']) {
      const answer = await call('PUT', '/provider', { ...provider, issuer })
      assert.equal(answer.status, 422, issuer)
      assert.match(answer.text, /"issuer":\[/)
    }
  })

  it('is tried, and what is wrong with it is told', async () => {
    const tried = await call('POST', '/provider/try')
    assert.equal(tried.status, 200, tried.text)
    assert.match(tried.text, /^\{"data":\{"problem":"login\.example\.com did not answer: [^"]+"\}\}$/)
    const none = await people.newcomer('none@example.com')
    assert.equal((await as(none).call('POST', '/provider/try')).status, 404)
  })

  it('is deleted with nothing else', async () => {
    const another = await people.newcomer('deleter@example.com')
    assert.equal((await as(another).call('PUT', '/provider', provider)).status, 200)
    await as(another).call('POST', '/domains', { domain: 'deleted.example' })
    assert.equal((await as(another).call('DELETE', '/provider')).status, 204)
    const { provider: left, domains } = await state(another)
    assert.deepEqual([left, domains.length], [null, 1])
  })

  it('signs in people of domains that a TXT record proves', async () => {
    const added = await call('POST', '/domains', { domain: 'Shop.Example' })
    assert.equal(added.status, 201, added.text)
    const { id, domain, record, proven_at: before } = domainOf(added)
    assert.deepEqual([domain, before], ['shop.example', null])
    assert.deepEqual(domainOf(await call('POST', '/domains', { domain: 'shop.example' })), domainOf(added))
    const prove = () => call('POST', `/domains/${id}/prove`)
    const missing = await prove()
    assert.deepEqual([missing.status, codeOf(missing)], [422, 'domain_not_proved'])
    assert.match(missing.text, /There is none/)
    published.set(record.name, ['perigee-domain=another'])
    assert.match((await prove()).text, /There is another one/)
    assert.equal((await state()).domains[0]?.proven_at, null)
    published.set(record.name, ['v=spf1 -all', record.value])
    const proved = await prove()
    assert.equal(proved.status, 200, proved.text)
    assert.notEqual(domainOf(proved).proven_at, null)
    assert.deepEqual((await state()).domains, [domainOf(proved)])
    const { text } = await owner.browser.api('GET', '/audit-entries', { workspace: owner.workspaceId })
    assert.match(
      text,
      /"action":"prove_sign_in_domain","target":\{"kind":"sign_in_domain","id":"[^"]+","name":"shop.example"/,
    )
  })

  it('tells a name server that fails from a record that is not there', async () => {
    const { id } = domainOf(await call('POST', '/domains', { domain: 'mail.broken.example' }))
    const answer = await call('POST', `/domains/${id}/prove`)
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'domain_not_proved'])
    assert.match(answer.text, /SERVFAIL/)
  })

  it('shares no domain: of workspaces that prove one at once, one has it until it is removed', async () => {
    const rivals = await Promise.all(
      ['r1', 'r2', 'r3'].map(async (name) => {
        const ask = as(await people.newcomer(`${name}@example.com`)).call
        const { id, record } = domainOf(await ask('POST', '/domains', { domain: 'contested.example' }))
        return { ask, id, value: record.value, prove: () => ask('POST', `/domains/${id}/prove`) }
      }),
    )
    const values = rivals.map(({ value }) => value)
    published.set('_perigee-challenge.contested.example', values)
    const answers = await Promise.all(rivals.map(async (rival) => ({ rival, answer: await rival.prove() })))
    assert.deepEqual(statusesOf(answers.map(({ answer }) => answer)), [200, 422, 422])
    const [holder, loser] = answers.toSorted((one, other) => one.answer.status - other.answer.status)
    assert.ok(holder !== undefined && loser !== undefined)
    assert.equal(codeOf(loser.answer), 'domain_taken')
    assert.equal((await holder.rival.ask('DELETE', `/domains/${holder.rival.id}`)).status, 204)
    assert.equal((await loser.rival.prove()).status, 200)
  })

  it('has at most 20 domains, and nothing of another workspace', async () => {
    const many = await people.newcomer('many@example.com')
    for (let count = 0; count < 20; count += 1)
      assert.equal((await as(many).call('POST', '/domains', { domain: `d${count}.example` })).status, 201)
    const beyond = await as(many).call('POST', '/domains', { domain: 'beyond.example' })
    assert.deepEqual([beyond.status, codeOf(beyond)], [422, 'limit_reached'])
    const [first] = (await state(many)).domains
    assert.equal((await call('POST', `/domains/${first?.id}/prove`)).status, 404)
    assert.equal((await call('DELETE', `/domains/${first?.id}`)).status, 404)
    assert.equal((await as(many).call('DELETE', `/domains/${first?.id}`)).status, 204)
  })
})
