import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { publicDomain, registrableDomain } from './registrable-domain.ts'

describe('the registrable domain', () => {
  const cases: [string, string | null][] = [
    ['example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['www.example.co.uk', 'example.co.uk'],
    ['shop.example.com.br', 'example.com.br'],
    ['someone.github.io', 'github.io'],
    ['bucket.s3.amazonaws.com', 'amazonaws.com'],
    ['_dmarc.example.com', 'example.com'],
    ['www.xn--r8jz45g.jp', 'xn--r8jz45g.jp'],
    ['a.xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
    ['a.shop.xn--55qx5d.cn', 'shop.xn--55qx5d.cn'],
    ['www.ck', 'www.ck'],
    ['a.shop.unheard-of', 'shop.unheard-of'],
    ['co.uk', null],
    ['com', null],
    ['localhost', null],
    ['192.0.2.1', null],
  ]
  for (const [name, expected] of cases)
    it(`of ${name} is ${expected ?? 'none'}`, async () => assert.equal(await registrableDomain(name), expected))
})

describe('the domain of a host that a registry may know', () => {
  const cases: [string, string | null][] = [
    ['www.example.com', 'example.com'],
    ['WWW.Example.CO.UK.', 'example.co.uk'],
    ['someone.github.io', 'github.io'],
    ['büro.example.de', 'example.de'],
    ['com', null],
    ['localhost', null],
    ['printer.local', null],
    ['db.corp.internal', null],
    ['shop.test', null],
    ['a.shop.unheard-of', null],
    ['nas.home.arpa', null],
    ['1.2.0.192.in-addr.arpa', null],
    ['192.0.2.1', null],
    ['[2001:db8::1]', null],
    ['', null],
  ]
  for (const [host, expected] of cases)
    it(`of "${host}" is ${expected ?? 'none'}`, async () => assert.equal(await publicDomain(host), expected))
})
