import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { singleSignOnSchema, signInDomainSchema } from '#core/people/single-sign-on.ts'
import { createNet } from '#net/create-net.ts'
import { makeCertificate } from '../../../test/support/certificates.ts'
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

const saml = {
  protocol: 'saml',
  name: 'Login',
  issuer: 'https://login.example/saml',
  sign_on_url: 'https://login.example/sso',
}

function metadataOf(pem: string, signOnUrl = 'https://login.example/sso'): string {
  const namespaces = `xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"`
  const key = `<ds:X509Certificate>${pem.replaceAll(/-----[^-]+-----/g, '')}</ds:X509Certificate>`
  const service = `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${signOnUrl}"/>`
  return `<EntityDescriptor ${namespaces} entityID="${saml.issuer}"><IDPSSODescriptor><KeyDescriptor><ds:KeyInfo>${key}</ds:KeyInfo></KeyDescriptor>${service}</IDPSSODescriptor></EntityDescriptor>`
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
      saml: {
        entity_id: `http://perigee.test/saml/${owner.workspaceId}/metadata`,
        consumer_url: `http://perigee.test/saml/${owner.workspaceId}/acs`,
      },
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

  it('may be one of SAML, which is asked nothing', async () => {
    const own = await people.newcomer('saml@example.com')
    const ask = as(own).call
    const { pem } = makeCertificate({ name: 'Login', rsaBits: 2048 })
    const made = await ask('PUT', '/provider', { ...saml, certificates: [pem, pem], groups_claim: 'teams' })
    assert.equal(made.status, 200, made.text)
    const { created_at: _created, updated_at: _updated, ...shown } = (await state(own)).provider ?? assert.fail()
    assert.deepEqual(shown, {
      ...saml,
      certificates: [pem],
      subject_attribute: null,
      email_attribute: null,
      default_role: 'viewer',
      groups_claim: 'teams',
      group_roles: [],
      is_required: false,
    })
    assert.equal((await ask('POST', '/provider/try')).text, '{"data":{"problem":null}}')
    const past = makeCertificate({ name: 'Past', rsaBits: 2048, notAfter: new Date(Date.now() - 1000) }).pem
    await ask('PUT', '/provider', { ...saml, certificates: [past] })
    assert.match((await ask('POST', '/provider/try')).text, /certificates of the provider have expired/)
    const { client_secret: _, ...kept } = provider
    assert.equal((await ask('PUT', '/provider', kept)).status, 422)
    assert.equal((await ask('PUT', '/provider', provider)).status, 200)
    assert.equal((await state(own)).provider?.protocol, 'openid_connect')
  })

  it('of SAML may be described by its metadata, beside which what is entered counts', async () => {
    const own = await people.newcomer('metadata@example.com')
    const ask = as(own).call
    const { pem } = makeCertificate({ name: 'Login', rsaBits: 2048 })
    const base = { protocol: 'saml', name: 'Login' }
    const made = await ask('PUT', '/provider', { ...base, metadata_xml: metadataOf(pem) })
    assert.equal(made.status, 200, made.text)
    const entered = await ask('PUT', '/provider', { ...base, metadata_xml: metadataOf(pem), issuer: 'urn:own' })
    assert.match(entered.text, /"issuer":"urn:own","sign_on_url":"https:\/\/login.example\/sso"/)
    const refused: [Record<string, unknown>, RegExp][] = [
      [{}, /"issuer":\["Is required where no metadata says it\."\]/],
      [{ ...saml }, /"certificates":\["Is required/],
      [{ ...saml, certificates: ['no certificate'] }, /"certificates":\["Must be a certificate in PEM/],
      [{ ...saml, certificates: [makeCertificate({ name: 'Curve' }).pem] }, /"certificates":\["Must be of an RSA key/],
      [{ ...saml, certificates: [pem], sign_on_url: 'http://login.example' }, /"sign_on_url":\["Must be https\."\]/],
      [{ ...saml, certificates: [pem], sign_on_url: 'javascript:alert(1)' }, /"sign_on_url":\["Must be an https/],
      [{ ...saml, certificates: [pem], client_id: 'x' }, /client_id/],
      [{ metadata_xml: 'no XML' }, /"metadata_xml":\["The provider sent what is no XML/],
      [{ metadata_xml: metadataOf(pem, 'javascript:alert(1)') }, /"metadata_xml":\["sign_on_url: Must be an https/],
      [{ metadata_xml: metadataOf(pem, 'http://login.example') }, /"sign_on_url":\["Must be https/],
      [{ metadata_xml: metadataOf(pem) + ' '.repeat(256 * 1024) }, /"metadata_xml":\["Must have at most 262144/],
    ]
    for (const [change, message] of refused) {
      const answer = await ask('PUT', '/provider', { ...base, ...change })
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'validation_failed'], answer.text)
      assert.match(answer.text, message)
    }
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
