import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redis } from '#kinds/database/redis.ts'

const isForbidden = (host: string): boolean => host === '10.0.0.1'

describe('the address of a database', () => {
  const begin = 'Must begin with redis:// or rediss://, such as rediss://cache.example.com:6379/0.'
  const host = 'Must name a host with or without a port, such as rediss://cache.example.com:6379/0.'
  const secrets =
    'Must have no user and no password: they go to check_options.username and check_options.password, where they are kept encrypted.'
  const rest = 'Must have nothing after the database: everything else goes to check_options.'
  const number = 'Must end with the number of a database, such as /0, or with none.'
  const cases: [url: string, problem: string | null][] = [
    ['rediss://cache.example.com:6379/0', null],
    ['redis://cache.example.com', null],
    ['REDIS://cache.example.com/', null],
    ['rediss://[2606:4700::1]:6380/15', null],
    ['cache.example.com:6379', begin],
    ['http://cache.example.com', begin],
    ['redis:cache.example.com', begin],
    ['', begin],
    ['redis://', host],
    ['redis://cache.example.com:0', host],
    ['redis://cache.example.com:65536', host],
    ['redis://two words', host],
    ['redis://:hunter2@cache.example.com', secrets],
    ['redis://ann:hunter2@cache.example.com/0', secrets],
    ['redis://cache.example.com/0?password=hunter2', rest],
    ['redis://cache.example.com/0/1', rest],
    ['redis://cache.example.com#a', rest],
    ['redis://cache.example.com/zero', number],
    ['redis://cache.example.com/%zz', 'Must have a readable database.'],
    ['redis://cache.example.com/123456', number],
    [
      'redis://10.0.0.1/0',
      'Leads to 10.0.0.1, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.',
    ],
    [
      'redis://0x0a000001',
      'Leads to 10.0.0.1, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.',
    ],
  ]
  for (const [url, problem] of cases)
    it(`"${url}" is ${problem === null ? 'fine' : 'refused'}`, () => {
      assert.equal(redis.targetProblem(url, isForbidden), problem)
      assert.doesNotMatch(String(problem), /hunter2/)
    })
})
