// What people type or paste as a target, and what the kinds take.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../test/support/web-addresses.ts'
import { type KindName, kindNames } from '#core/monitors/kind-traits.ts'
import { kindsFor, looksLikeTarget, targetFor, wishOf } from '../../web/src/parts/targets.ts'

describe('a target in the form of a kind', () => {
  const cases: [kind: KindName, typed: string, target: string][] = [
    ['http', ' https://example.com/ ', 'https://example.com/'],
    ['http', 'example.com', 'https://example.com'],
    ['http', '//example.com/a', 'https://example.com/a'],
    ['http', 'example.com/a?b=c', 'https://example.com/a?b=c'],
    ['http', 'example.com:443/a', 'https://example.com/a'],
    ['http', 'example.com:80', 'http://example.com'],
    ['http', 'example.com:8443', 'https://example.com:8443'],
    ['http', 'example.com:8080', 'http://example.com:8080'],
    ['http', '127.0.0.1:4313', 'http://127.0.0.1:4313'],
    ['http', 'nas/login', 'http://nas/login'],
    ['http', '2001:db8::1', 'http://[2001:db8::1]'],
    ['http', 'two words', 'two words'],
    ['http', 'ftp://example.com', 'ftp://example.com'],
    ['repository', 'github.com/example/shop', 'https://github.com/example/shop'],
    ['repository', 'git@github.com:example/shop.git', 'git@github.com:example/shop.git'],
    ['tcp', 'https://example.com/a', 'example.com:443'],
    ['tcp', 'http://example.com', 'example.com:80'],
    ['tcp', 'postgres://ann@db.example.com:5432/shop', 'db.example.com:5432'],
    ['tcp', ' db.example.com:5432/ ', 'db.example.com:5432'],
    ['tcp', '[2001:db8::1]:5432', '[2001:db8::1]:5432'],
    ['tcp', 'db.example.com', 'db.example.com'],
    ['ssl', 'https://www.example.com/shop', 'www.example.com'],
    ['ssl', 'https://www.example.com:8443/', 'www.example.com:8443'],
    ['ssh', 'ssh://git@example.com:2222', 'example.com:2222'],
    ['ssh', '2001:db8::1', '2001:db8::1'],
    ['ping', 'https://www.example.com:8443/', 'www.example.com'],
    ['ping', '[2001:db8::1]', '2001:db8::1'],
    ['domain', 'https://example.com/', 'example.com'],
    ['dns', 'two words', 'two words'],
    ['redis', 'cache.example.com:6379', 'rediss://cache.example.com:6379'],
    ['mqtt', 'broker.example.com', 'mqtts://broker.example.com'],
    ['rabbitmq', 'broker.example.com/shop', 'amqps://broker.example.com/shop'],
    ['mysql', 'mariadb://db.example.com', 'mariadb://db.example.com'],
    ['postgresql', 'db.example.com/shop', 'postgresql://db.example.com/shop'],
    ['ldap', 'ldap.example.com', 'ldaps://ldap.example.com'],
    ['ldap', 'ldap://10.0.0.7:1389', 'ldap://10.0.0.7:1389'],
    ['snmp', 'https://switch.example.com/', 'switch.example.com'],
    ['redis', 'redis://10.0.0.7/1', 'redis://10.0.0.7/1'],
    ['websocket', 'live.example.com/feed', 'wss://live.example.com/feed'],
    ['websocket', 'ws://10.0.0.7:8080/', 'ws://10.0.0.7:8080/'],
    ['grpc', 'api.example.com:443', 'grpcs://api.example.com:443'],
    ['dns', '', ''],
  ]
  for (const [kind, typed, target] of cases)
    it(`${kind}: "${typed}"`, () => assert.equal(targetFor(kind, typed), target))

  it('stays as it is once it has that form, whatever was typed', () => {
    const texts = fc.oneof(fc.string(), webAddress, fc.domain(), fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), texts, (kind, text) => {
        const target = targetFor(kind, text)
        assert.equal(targetFor(kind, target), target)
      }),
    )
  })

  it('of a database is named without the password that was pasted', () => {
    const { kind, name } = wishOf('redis://ann:hunter2@cache.example.com:6379/1')
    assert.deepEqual([kind, name], ['redis', 'cache.example.com:6379/1'])
  })

  it('is what the set-up makes of the same text', () => {
    for (const text of ['example.com', 'https://example.com/', 'example.com:80', '192.0.2.1', 'example.com:5432']) {
      const { kind, url } = wishOf(text)
      assert.equal(targetFor(kind, url), url)
      assert.equal(targetFor(kind, text), url)
    }
  })
})

describe('a text in the search for a kind', () => {
  const cases: [text: string, kinds: KindName[]][] = [
    ['https://example.com', ['http', 'api']],
    ['example.com', ['http', 'api']],
    ['db.example.com:5432', ['tcp', 'http']],
    ['example.com:993', ['imap', 'tcp']],
    ['192.0.2.1', ['ping', 'tcp']],
    ['2001:db8::1', ['ping', 'tcp']],
    ['https://github.com/example/shop', ['repository', 'http']],
  ]
  for (const [text, kinds] of cases)
    it(`takes ${text} for a target`, () => {
      assert.ok(looksLikeTarget(` ${text} `))
      assert.deepEqual(kindsFor(text).slice(0, 2), kinds)
    })

  for (const text of ['', 'ssl', 'mail server', 'ping.', 'port:', 'IMAP'])
    it(`takes "${text}" for words`, () => assert.ok(!looksLikeTarget(text)))

  it('fails at nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        looksLikeTarget(text)
        assert.ok(kindsFor(text).length > 0)
      }),
    )
  })
})
