import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createGuard } from '#net/dial/guard.ts'
import { http } from './http.ts'
import { tcp } from '#kinds/tcp.ts'

const isForbidden = createGuard('none').isForbiddenAddress

describe('targets of http and api', () => {
  const good = [
    'https://example.com',
    'http://example.com:8080/a?b=c',
    'https://größe.example/',
    'http://8.8.8.8/',
    'http://[2606:4700::1]/',
    'http://localhost/',
  ]
  for (const url of good) it(`${url} is one`, () => assert.equal(http.targetProblem(url, isForbidden), null))

  const address =
    'a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.'
  const bad = [
    ['example.com', 'Must be a URL with its scheme, such as https://example.com/health.'],
    ['', 'Must be a URL with its scheme, such as https://example.com/health.'],
    ['https://', 'Must be a URL with its scheme, such as https://example.com/health.'],
    ['ftp://example.com', 'Must begin with https:// or http://.'],
    ['file:///etc/passwd', 'Must begin with https:// or http://.'],
    [
      'https://user:pw@example.com',
      'Must not hold a user name or password; send them in a request header, which is kept encrypted.',
    ],
    [
      'https://user@example.com',
      'Must not hold a user name or password; send them in a request header, which is kept encrypted.',
    ],
    [
      'https://:pw@example.com',
      'Must not hold a user name or password; send them in a request header, which is kept encrypted.',
    ],
    ['http://example.com:0/', 'Must not use port 0.'],
    ['http://127.0.0.1/', `Leads to 127.0.0.1, ${address}`],
    ['http://2130706433/', `Leads to 127.0.0.1, ${address}`],
    ['http://[::1]:8080/', `Leads to [::1], ${address}`],
    ['http://169.254.169.254/latest', `Leads to 169.254.169.254, ${address}`],
  ] as const
  for (const [url, problem] of bad)
    it(`"${url}" is none`, () => assert.equal(http.targetProblem(url, isForbidden), problem))

  it('may be private where that is allowed', () => {
    assert.equal(http.targetProblem('http://127.0.0.1/', createGuard('all').isForbiddenAddress), null)
  })
})

describe('targets of tcp', () => {
  for (const url of ['db.example.com:5432', '8.8.8.8:53', '[2606:4700::1]:443', 'localhost:1'])
    it(`${url} is one`, () => assert.equal(tcp.targetProblem(url, isForbidden), null))

  const form = 'Must be host:port, such as db.example.com:5432 or [2606:4700::1]:5432.'
  const bad = [
    ['db.example.com', 'Must name a port, such as db.example.com:5432.'],
    ['tcp://db.example.com:5432', form],
    ['db.example.com:0', form],
    ['::1:80', form],
    [
      '127.1:80',
      'Leads to 127.0.0.1, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.',
    ],
    [
      '[::1]:80',
      'Leads to ::1, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.',
    ],
  ] as const
  for (const [url, problem] of bad)
    it(`"${url}" is none`, () => assert.equal(tcp.targetProblem(url, isForbidden), problem))
})
