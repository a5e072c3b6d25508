import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashPassword } from 'better-auth/crypto'
import { z } from 'zod'
import { insertPerson } from '#store/people/people.ts'
import { type Answer, testApi } from '../../test/support/api.ts'
import { codeOf, createBrowser, password, signIn } from '../../test/support/people.ts'

/** The cost parameters of scrypt (RFC 7914, section 2), by which each guess takes 32 MB. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 ** 2 }

describe('passwords as a service keeps them', async () => {
  const api = await testApi({ maxConnections: 5, hasCostlyPasswords: true })
  const browser = createBrowser(api, '192.0.2.10')

  it('are stored as keys that cost 32 MB to compute', async () => {
    const person = { email: 'ada@example.com', name: 'Ada', password }
    assert.equal((await browser.auth('POST', '/sign-up/email', person)).status, 200)
    const { rows } = await api.database.pool.query(
      `select password from people.account join people."user" u on u.id = "userId" where email = 'ada@example.com'`,
    )
    const [stored] = z.tuple([z.object({ password: z.string() })]).parse(rows)
    const [, salt = '', key = ''] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(stored.password) ?? []
    assert.equal(scryptSync(password, salt, 64, cost).toString('hex'), key)
  })

  it('answers a wrong password and an unknown address alike, and as fast', async () => {
    const passwordHash = await hashPassword(password)
    await api.database.transaction((tx) =>
      insertPerson(tx, { email: 'bob@example.com', name: 'Bob', passwordHash, at: new Date() }),
    )
    const timed = async (email: string) => {
      const before = process.cpuUsage()
      const answer = await browser.auth('POST', '/sign-in/email', { email, password: 'incorrect horse battery' })
      const { user, system } = process.cpuUsage(before)
      return { answer, ms: (user + system) / 1000 }
    }
    // CPU time of this process, which hashes the password: it is the same on a busy machine. In turns; the first of each
    // loads what the others find loaded.
    let [known, unknown] = [await timed('bob@example.com'), await timed('nobody@example.com')]
    for (let count = 0; count < 7; count += 1) {
      known = faster(known, await timed('bob@example.com'))
      unknown = faster(unknown, await timed('nobody@example.com'))
    }
    assert.deepEqual([unknown.answer.status, unknown.answer.text], [known.answer.status, known.answer.text])
    assert.deepEqual([known.answer.status, codeOf(known.answer)], [401, 'INVALID_EMAIL_OR_PASSWORD'])
    assert.deepEqual([...unknown.answer.headers.keys()], [...known.answer.headers.keys()])
    assert.ok(unknown.ms > known.ms / 2 && known.ms > unknown.ms / 2, `${known.ms} ms and ${unknown.ms} ms`)
    await signIn(browser, 'bob@example.com')
  })
})

type Timed = { answer: Answer; ms: number }

function faster(one: Timed, other: Timed): Timed {
  return other.ms < one.ms ? other : one
}
